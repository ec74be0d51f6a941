package dev.weir.control.audit;

import dev.weir.control.outbox.PayloadReader;
import dev.weir.control.outbox.PayloadWriter;
import dev.weir.policy.Address;
import dev.weir.policy.Outcome;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An audit record as bytes: a version, a bit for each column that has a value, and the values in
 * the order of the columns.
 */
final class AuditCodec {
  private static final int VERSION = 1;

  /** The end of the year 2399, as of {@link dev.weir.TimeSource}. */
  private static final long MOST_MICROS =
      AuditRecord.micros(Instant.parse("2400-01-01T00:00:00Z")) - 1;

  private static final Set<String> DECISIONS =
      Arrays.stream(Outcome.values())
          .map(Outcome::toString)
          .collect(Collectors.toUnmodifiableSet());

  private AuditCodec() {}

  static byte[] encode(AuditRecord record) {
    PayloadWriter writer = new PayloadWriter().putByte(VERSION);
    long present = 0;
    for (AuditColumn each : AuditColumn.ALL) {
      present |= record.has(each) ? 1L << each.index() : 0;
    }
    writer.putNumber(present);
    for (AuditColumn each : AuditColumn.ALL) {
      if (record.has(each)) {
        put(writer, record, each);
      }
    }
    return writer.toBytes();
  }

  private static void put(PayloadWriter writer, AuditRecord record, AuditColumn column) {
    if (column.type().isNumber()) {
      writer.putNumber(record.number(column));
    } else if (column.type() == AuditColumn.Type.FLAG) {
      writer.putByte(record.flag(column) ? 1 : 0);
    } else {
      writer.putText(String.valueOf(record.text(column)));
    }
  }

  /**
   * The record that the bytes say.
   *
   * @throws IllegalArgumentException if they say none
   */
  static AuditRecord decode(byte[] bytes) {
    PayloadReader reader = new PayloadReader("audit record", bytes);
    int version = reader.readByte();
    if (version != VERSION) {
      throw reader.wrong("must have version %d, got %d".formatted(VERSION, version));
    }
    long present = reader.readNumber(0, (1L << AuditColumn.ALL.size()) - 1);
    AuditRecord.Builder builder = new AuditRecord.Builder();
    for (AuditColumn each : AuditColumn.ALL) {
      if ((present >>> each.index() & 1) != 0) {
        read(reader, builder, each);
      }
    }
    reader.requireEnd();
    return builder.build();
  }

  private static void read(PayloadReader reader, AuditRecord.Builder builder, AuditColumn column) {
    switch (column.type()) {
      case TEXT, ADDRESS -> builder.put(column, text(reader, column));
      case FLAG -> builder.put(column, reader.readNumber(0, 1) == 1);
      case INTEGER -> builder.put(column, reader.readNumber(0, Integer.MAX_VALUE));
      case LONG -> builder.put(column, reader.readNumber(0, Long.MAX_VALUE));
      case TIME -> builder.put(column, reader.readNumber(0, mostMicros(column)));
    }
  }

  /** Rows have a month each, and nobody means one that clocks do not have. */
  private static long mostMicros(AuditColumn column) {
    return column == AuditColumn.TIMESTAMP ? MOST_MICROS : Long.MAX_VALUE;
  }

  private static String text(PayloadReader reader, AuditColumn column) {
    String text = reader.readText();
    boolean isRight =
        switch (column) {
          case DECISION -> DECISIONS.contains(text);
          case IP_ADDRESS -> Address.parseOrNull(text) != null;
          default -> text.length() <= column.mostCharacters() && text.indexOf('\0') < 0;
        };
    if (!isRight) {
      throw reader.wrong("has a wrong " + column);
    }
    return text;
  }
}
