package dev.weir.control.journal;

/** Why a record is not in the journal. */
public enum DropCause {
  /** More came than was written, so that too much waited in memory. */
  MEMORY_FULL,
  /** The journal is as long as it may be, or the disk has no room left. */
  DISK_FULL,
  /** The disk cannot be written to, for another reason than being full. */
  DISK_FAILED,
  /** The journal was closed. */
  CLOSED
}
