package dev.weir.control.rollup;

import dev.weir.control.outbox.PayloadReader;
import dev.weir.control.outbox.PayloadWriter;
import dev.weir.control.outbox.StorableText;
import java.util.ArrayList;
import java.util.List;

/**
 * What happened in a part of a minute: the step from memory to the database. Several of them are
 * one payload: a version, and then one after the other.
 *
 * @param minute since the epoch
 */
record Delta(long minute, Dimensions dimensions, Tally tally) {
  private static final int VERSION = 1;
  private static final int MOST_CHARACTERS = 512;

  /** The last minute before the year 2400. */
  private static final long MOST_MINUTES = 226_157_760L - 1;

  /** Then a payload is full; one delta more is never longer than what is left up to 64 KiB. */
  private static final int FULL = 32 << 10;

  /** Deltas that travel together. */
  static final class Packet {
    private final byte[] payload;
    private final List<Delta> deltas;

    private Packet(byte[] payload, List<Delta> deltas) {
      this.payload = payload;
      this.deltas = List.copyOf(deltas);
    }

    /** What they are in the outbox. */
    byte[] payload() {
      return payload;
    }

    List<Delta> deltas() {
      return deltas;
    }
  }

  /** In packets as few as possible. */
  static List<Packet> pack(List<Delta> deltas) {
    List<Packet> packets = new ArrayList<>();
    PayloadWriter writer = new PayloadWriter().putByte(VERSION);
    int first = 0;
    for (int i = 0; i < deltas.size(); i++) {
      deltas.get(i).writeTo(writer);
      if (writer.length() >= FULL || i == deltas.size() - 1) {
        packets.add(new Packet(writer.toBytes(), deltas.subList(first, i + 1)));
        writer = new PayloadWriter().putByte(VERSION);
        first = i + 1;
      }
    }
    return packets;
  }

  private void writeTo(PayloadWriter writer) {
    writer.putNumber(minute);
    writer.putText(storable(dimensions.endpoint())).putText(storable(dimensions.tier()));
    writer.putText(storable(dimensions.rule())).putText(storable(dimensions.region()));
    writer.putNumber(tally.allowed).putNumber(tally.throttled).putNumber(tally.blocked);
    writer.putNumber(tally.cacheHits).putNumber(tally.cacheMisses);
    writer.putBytes(tally.latency.toBytes());
  }

  private static String storable(String text) {
    return StorableText.of(text, MOST_CHARACTERS);
  }

  /**
   * Those that a payload says.
   *
   * @throws IllegalArgumentException if it says none
   */
  static List<Delta> decode(byte[] payload) {
    PayloadReader reader = new PayloadReader("roll-up", payload);
    int version = reader.readByte();
    if (version != VERSION) {
      throw reader.wrong("must have version %d, got %d".formatted(VERSION, version));
    }
    List<Delta> deltas = new ArrayList<>();
    while (!reader.isAtEnd()) {
      deltas.add(read(reader));
    }
    return deltas;
  }

  private static Delta read(PayloadReader reader) {
    long minute = reader.readNumber(0, MOST_MINUTES);
    Dimensions dimensions = new Dimensions(text(reader), text(reader), text(reader), text(reader));
    Tally tally = new Tally();
    tally.allowed = count(reader);
    tally.throttled = count(reader);
    tally.blocked = count(reader);
    tally.cacheHits = count(reader);
    tally.cacheMisses = count(reader);
    tally.latency.add(LatencySketch.of(reader.readBytes()));
    return new Delta(minute, dimensions, tally);
  }

  private static String text(PayloadReader reader) {
    String text = reader.readText();
    if (!storable(text).equals(text)) {
      throw reader.wrong("has a wrong name");
    }
    return text;
  }

  /** So many that a sum of them has room. */
  private static long count(PayloadReader reader) {
    return reader.readNumber(0, Long.MAX_VALUE >>> 20);
  }
}
