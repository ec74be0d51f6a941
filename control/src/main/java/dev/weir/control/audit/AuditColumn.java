package dev.weir.control.audit;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What is kept of a decision: the columns of {@code rate_limit_audit_logs}, but for its number. The
 * order is that of the binary form, and new ones may only be added at the end.
 */
public enum AuditColumn {
  TIMESTAMP(Type.TIME, 0),
  CLIENT(Type.TEXT, 512),
  USER_ID(Type.TEXT, 255),
  API_KEY_ID(Type.TEXT, 255),
  IP_ADDRESS(Type.ADDRESS, 45),
  TIER(Type.TEXT, 255),
  ENDPOINT(Type.TEXT, 255),
  PATH(Type.TEXT, 2_048),
  HTTP_METHOD(Type.TEXT, 64),
  RULE_NAME(Type.TEXT, 512),
  DECISION(Type.TEXT, 16),
  REASON(Type.TEXT, 255),
  COST(Type.LONG, 0),
  CURRENT_COUNT(Type.LONG, 0),
  LIMIT_VALUE(Type.LONG, 0),
  WINDOW_RESET(Type.TIME, 0),
  RESPONSE_STATUS(Type.INTEGER, 0),
  RETRY_AFTER_SECONDS(Type.LONG, 0),
  DEGRADED(Type.FLAG, 0),
  POLICY(Type.TEXT, 255),
  REGION(Type.TEXT, 255),
  SERVER_ID(Type.TEXT, 255),
  LATENCY_MICROS(Type.LONG, 0);

  /** What a value is, in Java and in the database. */
  enum Type {
    /** A {@link String}, varchar. */
    TEXT(String.class),
    /** A {@link String} with an IP address, inet on PostgreSQL. */
    ADDRESS(String.class),
    /** A {@link Long}, bigint. */
    LONG(Long.class),
    /** A {@link Long} too, but integer. */
    INTEGER(Long.class),
    /** A {@link Long} with microseconds since the epoch, timestamp with time zone. */
    TIME(Long.class),
    /** A {@link Boolean}. */
    FLAG(Boolean.class);

    private final Class<?> java;

    Type(Class<?> java) {
      this.java = java;
    }

    boolean isText() {
      return java == String.class;
    }

    boolean isNumber() {
      return java == Long.class;
    }
  }

  static final List<AuditColumn> ALL = List.of(values());

  /** Those that every row has. */
  static final List<AuditColumn> REQUIRED = List.of(TIMESTAMP, DECISION, COST, DEGRADED);

  private final Type type;
  private final int mostCharacters;

  AuditColumn(Type type, int mostCharacters) {
    this.type = type;
    this.mostCharacters = mostCharacters;
  }

  /** Its place in the order, from 0. */
  @SuppressWarnings("EnumOrdinal") // The order has a meaning here, and is said above.
  int index() {
    return ordinal();
  }

  Type type() {
    return type;
  }

  /** How long a text may be; what is longer is cut. */
  int mostCharacters() {
    return mostCharacters;
  }

  /** All their names, for SQL. */
  static String names() {
    return ALL.stream().map(AuditColumn::toString).collect(Collectors.joining(", "));
  }

  /** The name of the column, and of the member in JSON. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
