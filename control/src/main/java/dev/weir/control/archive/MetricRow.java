package dev.weir.control.archive;

import com.jerolba.carpet.annotation.NotNull;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.apache.parquet.io.api.Binary;
import org.jspecify.annotations.Nullable;

/** A row of {@code rate_limit_metrics}; in a file the columns have the same names. */
record MetricRow(
    @NotNull String granularity,
    @NotNull Instant timestamp,
    @NotNull String endpoint,
    @NotNull String tier,
    @NotNull String ruleName,
    @NotNull String region,
    long allowedRequests,
    long throttledRequests,
    long blockedRequests,
    long totalRequests,
    @Nullable Long latencyP50Micros,
    @Nullable Long latencyP95Micros,
    @Nullable Long latencyP99Micros,
    @Nullable Binary latencySketch,
    long cacheHits,
    long cacheMisses,
    @NotNull Instant createdAt,
    @NotNull Instant updatedAt)
    implements ArchiveRow {

  /** In the order of the record. */
  static final String COLUMNS =
      """
      granularity, timestamp, endpoint, tier, rule_name, region, allowed_requests, throttled_requests, \
      blocked_requests, total_requests, latency_p50_micros, latency_p95_micros, latency_p99_micros, \
      latency_sketch, cache_hits, cache_misses, created_at, updated_at""";

  /** Those of the primary key. */
  static final String ORDER = "granularity, timestamp, endpoint, tier, rule_name, region";

  static MetricRow read(ResultSet row) throws SQLException {
    Columns columns = new Columns(row);
    return new MetricRow(
        columns.text(),
        columns.time(),
        columns.text(),
        columns.text(),
        columns.text(),
        columns.text(),
        columns.number(),
        columns.number(),
        columns.number(),
        columns.number(),
        columns.numberOrNull(),
        columns.numberOrNull(),
        columns.numberOrNull(),
        binary(columns.bytesOrNull()),
        columns.number(),
        columns.number(),
        columns.time(),
        columns.time());
  }

  private static @Nullable Binary binary(byte @Nullable [] bytes) {
    return bytes == null ? null : Binary.fromConstantByteArray(bytes);
  }

  @Override
  public void addTo(RowDigest digest) {
    digest
        .add(granularity)
        .add(timestamp)
        .add(endpoint)
        .add(tier)
        .add(ruleName)
        .add(region)
        .add(allowedRequests)
        .add(throttledRequests)
        .add(blockedRequests)
        .add(totalRequests)
        .add(latencyP50Micros)
        .add(latencyP95Micros)
        .add(latencyP99Micros)
        .add(latencySketch == null ? null : latencySketch.getBytes())
        .add(cacheHits)
        .add(cacheMisses)
        .add(createdAt)
        .add(updatedAt)
        .endRow();
  }
}
