package dev.weir.control.audit;

import dev.weir.control.outbox.StorableText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A decision that is kept: a value for each {@link AuditColumn}, or none. Immutable. Its texts can
 * be stored anywhere: they are no longer than they may be, and have neither a NUL nor half a pair.
 */
public final class AuditRecord {
  private final @Nullable Object[] values;

  private AuditRecord(@Nullable Object[] values) {
    this.values = values;
  }

  /** Puts a record together. A value that is null is none. */
  static final class Builder {
    private final @Nullable Object[] values = new @Nullable Object[AuditColumn.ALL.size()];

    Builder put(AuditColumn column, @Nullable String text) {
      if (!column.type().isText()) {
        throw new IllegalArgumentException(column + " is no text");
      }
      values[column.index()] = text == null ? null : StorableText.of(text, column.mostCharacters());
      return this;
    }

    /** A text that is in a database already. */
    Builder putAsIs(AuditColumn column, @Nullable String text) {
      values[column.index()] = text;
      return this;
    }

    Builder put(AuditColumn column, long number) {
      if (!column.type().isNumber()) {
        throw new IllegalArgumentException(column + " is no number");
      }
      values[column.index()] = number;
      return this;
    }

    Builder put(AuditColumn column, boolean flag) {
      if (column.type() != AuditColumn.Type.FLAG) {
        throw new IllegalArgumentException(column + " is no flag");
      }
      values[column.index()] = flag;
      return this;
    }

    /** The record, once. */
    AuditRecord build() {
      for (AuditColumn each : AuditColumn.REQUIRED) {
        if (values[each.index()] == null) {
          throw new IllegalArgumentException("an audit record must have " + each);
        }
      }
      return new AuditRecord(values);
    }
  }

  /** When it was decided. */
  public Instant timestamp() {
    return Instant.EPOCH.plus(timestampMicros(), ChronoUnit.MICROS);
  }

  /** Since the epoch; the units of the JDK go through nanoseconds, which end in the year 2262. */
  static long micros(Instant instant) {
    return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
  }

  long timestampMicros() {
    return number(AuditColumn.TIMESTAMP);
  }

  boolean has(AuditColumn column) {
    return values[column.index()] != null;
  }

  /** A text; null if there is none. */
  public @Nullable String text(AuditColumn column) {
    return (String) values[column.index()];
  }

  /** A number that is there. */
  public long number(AuditColumn column) {
    Object value = values[column.index()];
    if (value == null) {
      throw new IllegalStateException("there is no " + column);
    }
    return (Long) value;
  }

  /** A flag. */
  public boolean flag(AuditColumn column) {
    return Boolean.TRUE.equals(values[column.index()]);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof AuditRecord record && Arrays.equals(values, record.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("audit record");
    for (AuditColumn each : AuditColumn.ALL) {
      if (has(each)) {
        text.append(' ').append(each).append('=').append(values[each.index()]);
      }
    }
    return text.toString();
  }
}
