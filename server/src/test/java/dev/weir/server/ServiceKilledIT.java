package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.control.journal.JournalOptions;
import dev.weir.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service killed again and again has every decision in its audit once, but the very last. */
class ServiceKilledIT {
  private static final int KILLS = Integer.getInteger("weir.service.kills", 4);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long LONGEST_LIFE_NANOS = 1_000_000_000;

  /**
   * How old a decision may be that a kill takes with it. Records are on their way to disk after the
   * interval, and are there after one sync: of a record that comes while another sync runs, that
   * one's end is waited for too. A sync takes milliseconds, and tenths of a second on a disk that
   * others keep busy.
   */
  private static final Duration OLDEST_LOST =
      JournalOptions.defaults().syncInterval().plus(Duration.ofMillis(400));

  private final long seed =
      Long.getLong("weir.seed", ThreadLocalRandom.current().nextLong(1_000_000_000_000L));
  private final SplittableRandom random = new SplittableRandom(seed);

  @TempDir private Path folder = Path.of("");

  private final List<Run> runs = new ArrayList<>();

  /** One life of the service: what was asked, and when it was killed. */
  private record Run(DistinctChecks checks, long killNanos) {}

  @Test
  @DisplayName("T65: the service killed under load loses nothing older than the sync interval")
  void onPostgresNothingOldIsLost() throws Exception {
    try (PostgresServer postgres = PostgresServer.start(PostgresServer.Version.V18)) {
      killAgainAndAgain(KILLS, StoredAudit.config(postgres) + DistinctChecks.CONFIG);
      try (StoredAudit stored = StoredAudit.in(postgres, folder)) {
        check("PostgreSQL", stored);
      }
    }
  }

  @Test
  @DisplayName("T65: with the embedded database as well")
  void onTheEmbeddedDatabaseNothingOldIsLost() throws Exception {
    PreparedData.in(data());
    killAgainAndAgain(Math.max(2, KILLS / 5), DistinctChecks.CONFIG);
    try (StoredAudit stored = StoredAudit.in(data())) {
      check("H2", stored);
    }
  }

  private Path data() {
    return folder.resolve("data");
  }

  private void killAgainAndAgain(int kills, String toml) throws IOException {
    Path config = Files.writeString(folder.resolve("weir.toml"), toml);
    for (int kill = 0; kill < kills; kill++) {
      if (random.nextInt(4) == 0) {
        killWhileStarting(config);
      }
      useAndKill(config);
    }
    // The last one has time to bring all into the database.
    try (ChildServer server = ChildServer.start(config, data())) {
      Caller caller = new Caller(server.port());
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> caller.get("/readyz").json().at("/database/waiting").asInt() == 0);
      server.stop();
    }
  }

  /** Also when it looks through what the one before has left. */
  private void killWhileStarting(Path config) throws IOException {
    try (ChildServer server = ChildServer.start(config, data())) {
      LockSupport.parkNanos(random.nextLong(LONGEST_LIFE_NANOS));
      server.kill();
    }
  }

  private void useAndKill(Path config) throws IOException {
    try (ChildServer server = ChildServer.start(config, data());
        DistinctChecks checks = new DistinctChecks(server.port(), "run" + runs.size())) {
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(10))
          .until(() -> !checks.answered().isEmpty());
      // Anywhere in what it does next.
      LockSupport.parkNanos(random.nextLong(LONGEST_LIFE_NANOS));
      checks.requireAllAnswered();
      // Before it is sent, so that nothing is taken for younger than it was.
      long killNanos = System.nanoTime();
      server.kill();
      runs.add(new Run(checks, killNanos));
    }
  }

  private void check(String database, StoredAudit stored) {
    List<String> kept = stored.paths();
    Set<String> distinct = new HashSet<>(kept);
    assertThat(kept).as("seed %d", seed).hasSameSizeAs(distinct);
    Set<String> sent = new HashSet<>();
    int answered = 0;
    int lost = 0;
    long oldestLostNanos = 0;
    for (Run run : runs) {
      sent.addAll(run.checks.sent());
      answered += run.checks.answered().size();
      for (Map.Entry<String, Long> each : run.checks.answered().entrySet()) {
        if (!distinct.contains(each.getKey())) {
          lost++;
          oldestLostNanos = Math.max(oldestLostNanos, run.killNanos - each.getValue());
        }
      }
    }
    System.out.printf(
        "%d kills of the service on %s: %d decisions answered, %d kept, %d lost, the oldest of them"
            + " %d ms before its kill%n",
        runs.size(), database, answered, kept.size(), lost, oldestLostNanos / 1_000_000);
    assertThat(sent).as("seed %d", seed).containsAll(distinct);
    assertThat(Duration.ofNanos(oldestLostNanos)).as("seed %d", seed).isLessThan(OLDEST_LOST);
    assertThat(answered).as("seed %d", seed).isGreaterThan(runs.size() * 10);
  }
}
