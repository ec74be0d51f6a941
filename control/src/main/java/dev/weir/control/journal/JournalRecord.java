package dev.weir.control.journal;

/** A record as it was read from a journal. */
public final class JournalRecord {
  private final long sequence;
  private final byte[] payload;

  JournalRecord(long sequence, byte[] payload) {
    this.sequence = sequence;
    this.payload = payload;
  }

  /** Its number in the journal; no other record ever has it. */
  public long sequence() {
    return sequence;
  }

  /** What was appended. It belongs to the caller. */
  public byte[] payload() {
    return payload;
  }

  @Override
  public String toString() {
    return "record %d of %d bytes".formatted(sequence, payload.length);
  }
}
