package dev.weir.server.browser;

import dev.weir.control.database.Database;
import dev.weir.policy.config.DatabaseSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/** Months of roll-ups in a data folder, as if a service had been running there. */
final class PastMetrics {
  private static final Map<String, ChronoUnit> GRANULARITIES =
      Map.of("minute", ChronoUnit.MINUTES, "hour", ChronoUnit.HOURS, "day", ChronoUnit.DAYS);
  private static final int STEPS = 170;

  private PastMetrics() {}

  /** Fills the embedded database of a data folder. */
  static void fill(Path data) {
    try (Database database = Database.open(new DatabaseSettings("", "", ""), data)) {
      database.inTransaction(
          "fill",
          handle -> {
            GRANULARITIES.forEach((name, unit) -> fill(handle, name, unit));
            return null;
          });
    }
  }

  private static void fill(Handle handle, String granularity, ChronoUnit unit) {
    Instant now = Instant.now().truncatedTo(unit);
    long seconds = unit.getDuration().toSeconds();
    PreparedBatch rows =
        handle.prepareBatch(
            "insert into rate_limit_metrics (granularity, timestamp, endpoint, tier, rule_name,"
                + " region, allowed_requests, throttled_requests, blocked_requests) values"
                + " (:granularity, :timestamp, 'search', 'free', 'endpoint:search', 'local',"
                + " :allowed, :throttled, :blocked)");
    for (int step = 1; step < STEPS; step++) {
      Instant at = now.minus(Duration.ofSeconds(seconds * step));
      double hours = at.getEpochSecond() / 3600.0;
      // More by day than by night, more on some days than on others, with some that knock harder.
      double load = 40 + 30 * Math.sin(hours * Math.PI / 12) + 10 * Math.sin(hours / 37) + step % 7;
      long allowed = Math.round(load * seconds);
      rows.bind("granularity", granularity)
          .bind("timestamp", OffsetDateTime.ofInstant(at, ZoneOffset.UTC))
          .bind("allowed", allowed)
          .bind("throttled", allowed / (step % 11 == 3 ? 5 : 14))
          .bind("blocked", allowed / (step % 17 == 5 ? 12 : 60))
          .add();
    }
    rows.execute();
  }
}
