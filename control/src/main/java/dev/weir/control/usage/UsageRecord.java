package dev.weir.control.usage;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Deltas as bytes: the version of this form, then for each delta its kind, id, day, requests,
 * exceeded count and last time.
 */
final class UsageRecord {
  private static final int VERSION = 1;
  private static final int MOST_BYTES = 32 << 10;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream output = new DataOutputStream(bytes);

  UsageRecord() {
    writing(() -> output.writeByte(VERSION));
  }

  private interface Writing {
    void write() throws IOException;
  }

  private static void writing(Writing writing) {
    try {
      writing.write();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  void add(UsageDelta delta) {
    writing(
        () -> {
          output.writeByte(delta.kind().code);
          output.writeUTF(delta.id());
          output.writeLong(delta.day());
          output.writeLong(delta.requests());
          output.writeLong(delta.exceeded());
          output.writeLong(delta.lastMicros());
        });
  }

  /** Whether the next delta should go into another record. */
  boolean isFull() {
    return bytes.size() >= MOST_BYTES;
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }

  /**
   * What a record says.
   *
   * @throws IllegalArgumentException if it is none
   */
  static List<UsageDelta> parse(byte[] payload) {
    DataInputStream input = new DataInputStream(new ByteArrayInputStream(payload));
    List<UsageDelta> deltas = new ArrayList<>();
    try {
      int version = input.readUnsignedByte();
      if (version != VERSION) {
        throw new IllegalArgumentException("usage record must be of version 1, got " + version);
      }
      while (input.available() > 0) {
        deltas.add(
            new UsageDelta(
                UsageDelta.Kind.of(input.readUnsignedByte()),
                input.readUTF(),
                input.readLong(),
                input.readLong(),
                input.readLong(),
                input.readLong()));
      }
    } catch (IOException cutOff) {
      throw new IllegalArgumentException("usage record must be whole, got " + cutOff, cutOff);
    }
    return deltas;
  }
}
