package dev.weir.control.journal;

/** The way of a record into the journal, up to where it waits; called by many threads at once. */
final class Intake {
  private final Room room;
  private final WaitingRecords waiting;
  private final Drops drops;
  private final Writer writer;

  /** With so many waiting, they should be written at once. */
  private final int busyRecords;

  Intake(Room room, WaitingRecords waiting, Drops drops, Writer writer, JournalOptions options) {
    this.room = room;
    this.waiting = waiting;
    this.drops = drops;
    this.writer = writer;
    this.busyRecords = Math.max(1, options.mostWaitingRecords() / 4);
  }

  /** Takes a record if there is room for it; says whether. Waits for nothing. */
  boolean append(byte[] record) {
    int bytes = Frame.bytes(record);
    DropCause refusal = room.take(bytes);
    if (refusal != null) {
      return drop(waiting.isClosed() ? DropCause.CLOSED : refusal);
    }
    long waitingNow = waiting.offer(record);
    if (waitingNow < 0) {
      room.giveBack(bytes);
      return drop(waitingNow == WaitingRecords.CLOSED ? DropCause.CLOSED : DropCause.MEMORY_FULL);
    }
    if (waitingNow >= busyRecords || room.isBusy()) {
      writer.hurry();
    }
    return true;
  }

  /** If too much waits because the disk does not take it, that is the cause. */
  private boolean drop(DropCause refusal) {
    DropCause trouble = refusal == DropCause.MEMORY_FULL ? writer.trouble() : null;
    drops.add(trouble == null ? refusal : trouble, 1);
    return false;
  }
}
