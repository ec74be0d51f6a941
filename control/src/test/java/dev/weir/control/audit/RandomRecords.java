package dev.weir.control.audit;

import java.util.SplittableRandom;

/** Audit records at random: few values, so that filters find some, and odd ones. */
final class RandomRecords {
  private static final String[] ODD = {
    "",
    "=1+1",
    "a,b",
    "a\"b",
    "a\r\nb",
    "-",
    "@x",
    "\t",
    "žluť 🐎",
    "\\N",
    "\\.",
    "'",
    "a\u2028b",
    "\u202etxt.exe"
  };

  private final SplittableRandom random;
  private final long firstMicros;
  private final long spanMicros;

  RandomRecords(long seed, long firstMicros, long spanMicros) {
    this.random = new SplittableRandom(seed);
    this.firstMicros = firstMicros;
    this.spanMicros = spanMicros;
  }

  AuditRecord next() {
    AuditRecord.Builder builder = new AuditRecord.Builder();
    // Some at the same instant.
    long micros = firstMicros + random.nextLong(spanMicros / 1_000_000) * 1_000_000;
    builder
        .put(
            AuditColumn.TIMESTAMP, random.nextBoolean() ? micros : micros + random.nextInt(999_999))
        .put(AuditColumn.DECISION, pick("allowed", "throttled", "blocked"))
        .put(AuditColumn.COST, random.nextInt(3))
        .put(AuditColumn.DEGRADED, random.nextInt(10) == 0);
    String user = pick("alice", "bob", "carol", "");
    builder
        .put(AuditColumn.USER_ID, user.isEmpty() ? null : user)
        .put(AuditColumn.CLIENT, user.isEmpty() ? pick("ip:192.0.2.1", "key:k1") : "user:" + user);
    put(builder, AuditColumn.API_KEY_ID, pick("k1", "k2"));
    put(builder, AuditColumn.IP_ADDRESS, pick("192.0.2.1", "10.0.0.7", "2001:db8::1", "::"));
    put(builder, AuditColumn.TIER, pick("free", "pro"));
    put(builder, AuditColumn.ENDPOINT, pick("chat", "*", "upload"));
    put(builder, AuditColumn.PATH, pick(ODD));
    put(builder, AuditColumn.HTTP_METHOD, pick("GET", "POST"));
    put(builder, AuditColumn.RULE_NAME, pick("endpoint:chat", "default"));
    put(builder, AuditColumn.REASON, pick(ODD));
    put(builder, AuditColumn.POLICY, "p" + random.nextInt(3));
    put(builder, AuditColumn.REGION, pick("eu", "us"));
    put(builder, AuditColumn.SERVER_ID, pick(ODD));
    putNumber(builder, AuditColumn.CURRENT_COUNT);
    putNumber(builder, AuditColumn.LIMIT_VALUE);
    putNumber(builder, AuditColumn.WINDOW_RESET);
    putNumber(builder, AuditColumn.RETRY_AFTER_SECONDS);
    putNumber(builder, AuditColumn.LATENCY_MICROS);
    if (random.nextBoolean()) {
      builder.put(AuditColumn.RESPONSE_STATUS, 400 + random.nextInt(200));
    }
    return builder.build();
  }

  private void put(AuditRecord.Builder builder, AuditColumn column, String text) {
    if (random.nextInt(8) != 0) {
      builder.put(column, text);
    }
  }

  /** Some of them as large as they can be and still be a time that all databases know. */
  private void putNumber(AuditRecord.Builder builder, AuditColumn column) {
    switch (random.nextInt(3)) {
      case 0 -> builder.put(column, random.nextLong(1_000));
      case 1 -> builder.put(column, random.nextLong(4_000_000_000_000_000L));
      default -> {
        // None.
      }
    }
  }

  String pick(String... values) {
    return values[random.nextInt(values.length)];
  }

  SplittableRandom random() {
    return random;
  }
}
