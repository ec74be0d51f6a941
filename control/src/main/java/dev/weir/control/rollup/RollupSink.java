package dev.weir.control.rollup;

import dev.weir.control.database.Database;
import dev.weir.control.database.MonthlyTable;
import dev.weir.control.outbox.MonthRoom;
import dev.weir.control.outbox.Sink;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/**
 * Merges roll-ups into {@code rate_limit_metrics}: into the rows of their minute, hour and day,
 * however late they are. Several instances may merge into the same rows.
 */
public final class RollupSink implements Sink {
  /** The kind of roll-ups in the outbox. */
  public static final byte KIND = 2;

  private static final System.Logger LOGGER = System.getLogger(RollupSink.class.getName());

  /** Makes a row without anything in it, unless there is one. Parameters: the key. */
  private static final String MAKE =
      """
      insert into rate_limit_metrics (granularity, timestamp, endpoint, tier, rule_name, region)
      values (:granularity, :timestamp, :endpoint, :tier, :rule_name, :region)
      on conflict do nothing
      """;

  /** Locks the rows of one time and region, in an order that all instances keep. */
  private static final String LOCK =
      """
      select endpoint, tier, rule_name, region, latency_sketch from rate_limit_metrics
      where granularity = :granularity and timestamp = :timestamp and region = :region
      order by endpoint, tier, rule_name for update
      """;

  /** Adds to a row; parameters: the key, how much more, and the sketch with all. */
  private static final String ADD =
      """
      update rate_limit_metrics set
        allowed_requests = allowed_requests + :allowed,
        throttled_requests = throttled_requests + :throttled,
        blocked_requests = blocked_requests + :blocked,
        cache_hits = cache_hits + :hits,
        cache_misses = cache_misses + :misses,
        latency_p50_micros = :p50,
        latency_p95_micros = :p95,
        latency_p99_micros = :p99,
        latency_sketch = :sketch,
        updated_at = current_timestamp
      where granularity = :granularity and timestamp = :timestamp and endpoint = :endpoint
        and tier = :tier and rule_name = :rule_name and region = :region
      """;

  private final MonthRoom room;

  /** Rows that are locked together. */
  private record Group(Granularity granularity, long second, String region)
      implements Comparable<Group> {
    private static final Comparator<Group> ORDER =
        Comparator.comparing(Group::granularity)
            .thenComparing(Group::second)
            .thenComparing(Group::region);

    @Override
    public int compareTo(Group other) {
      return ORDER.compare(this, other);
    }
  }

  /** Into that database. */
  public RollupSink(Database database) {
    this.room = new MonthRoom(database, MonthlyTable.METRICS);
  }

  @Override
  public byte kind() {
    return KIND;
  }

  @Override
  public void write(Handle handle, List<byte[]> payloads) {
    TreeMap<Group, TreeMap<Dimensions, Tally>> groups = new TreeMap<>();
    for (byte[] payload : payloads) {
      for (Delta delta : Delta.decode(payload)) {
        for (Granularity granularity : Granularity.values()) {
          Group group =
              new Group(
                  granularity, granularity.start(delta.minute() * 60), delta.dimensions().region());
          groups
              .computeIfAbsent(group, none -> new TreeMap<>())
              .computeIfAbsent(delta.dimensions(), none -> new Tally())
              .add(delta.tally());
        }
      }
    }
    boolean isWritten = false;
    try {
      groups.keySet().forEach(group -> room.require(group.second * 1_000_000));
      groups.forEach((group, tallies) -> merge(handle, group, tallies));
      isWritten = true;
    } finally {
      if (!isWritten) {
        room.forget();
      }
    }
  }

  private static void merge(Handle handle, Group group, Map<Dimensions, Tally> tallies) {
    PreparedBatch make = handle.prepareBatch(MAKE);
    tallies.keySet().forEach(dimensions -> bindKey(make, group, dimensions).add());
    make.execute();
    Map<Dimensions, LatencySketch> sketches = lock(handle, group);
    PreparedBatch add = handle.prepareBatch(ADD);
    tallies.forEach(
        (dimensions, tally) -> {
          LatencySketch all = sketches.getOrDefault(dimensions, new LatencySketch());
          all.add(tally.latency);
          bindKey(add, group, dimensions)
              .bind("allowed", tally.allowed)
              .bind("throttled", tally.throttled)
              .bind("blocked", tally.blocked)
              .bind("hits", tally.cacheHits)
              .bind("misses", tally.cacheMisses)
              .bind("p50", all.percentileMicros(50))
              .bind("p95", all.percentileMicros(95))
              .bind("p99", all.percentileMicros(99))
              .bind("sketch", all.toBytes())
              .add();
        });
    add.execute();
  }

  private static PreparedBatch bindKey(PreparedBatch batch, Group group, Dimensions dimensions) {
    return batch
        .bind("granularity", group.granularity.toString())
        .bind("timestamp", Instant.ofEpochSecond(group.second))
        .bind("endpoint", dimensions.endpoint())
        .bind("tier", dimensions.tier())
        .bind("rule_name", dimensions.rule())
        .bind("region", dimensions.region());
  }

  private static Map<Dimensions, LatencySketch> lock(Handle handle, Group group) {
    Map<Dimensions, LatencySketch> sketches = new HashMap<>();
    handle
        .createQuery(LOCK)
        .bind("granularity", group.granularity.toString())
        .bind("timestamp", Instant.ofEpochSecond(group.second))
        .bind("region", group.region)
        .map(
            (row, context) ->
                Map.entry(
                    new Dimensions(
                        row.getString("endpoint"),
                        row.getString("tier"),
                        row.getString("rule_name"),
                        row.getString("region")),
                    sketch(row.getBytes("latency_sketch"))))
        .forEach(row -> sketches.put(row.getKey(), row.getValue()));
    return sketches;
  }

  /** A sketch that somebody spoilt must not hold up what comes behind. */
  private static LatencySketch sketch(byte @Nullable [] bytes) {
    if (bytes == null) {
      return new LatencySketch();
    }
    try {
      return LatencySketch.of(bytes);
    } catch (IllegalArgumentException spoilt) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "a latency_sketch in rate_limit_metrics is begun anew: {0}",
          spoilt.getMessage());
      return new LatencySketch();
    }
  }
}
