package dev.weir.control.archive;

import java.util.Locale;

/** How far a month is on its way out of the database. */
public enum ArchiveState {
  /** It is to leave. */
  PLANNED,
  /** Its rows are in a table of their own, where nobody writes. */
  DETACHED,
  /** They are in a file too. */
  WRITTEN,
  /** The file was read back, and has them. */
  VERIFIED,
  /** They are in the file only. */
  DROPPED,
  /** They were dropped without a file: there were none, or nothing is archived. */
  DISCARDED,
  /** The file was deleted as well, because somebody asked for that. */
  DELETED;

  /** Whether nothing is left to do. */
  public boolean isEnd() {
    return this == DROPPED || this == DISCARDED || this == DELETED;
  }

  /** As the database has it. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  static ArchiveState of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }
}
