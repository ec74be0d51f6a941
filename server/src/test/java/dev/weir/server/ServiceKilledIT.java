package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.function.LongSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service killed again and again has every decision in its audit once, but the very last. */
class ServiceKilledIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int LONGEST_START_MILLIS = 1_000;
  private static final int MAX_DECISIONS_BEFORE_KILL = 1_000;

  private final long seed =
      Long.getLong("weir.seed", ThreadLocalRandom.current().nextLong(1_000_000_000_000L));
  private final SplittableRandom random = new SplittableRandom(seed);

  @TempDir private Path folder = Path.of("");

  private final List<Run> runs = new ArrayList<>();

  /** One life of the service: what was asked, and when it was killed. */
  private record Run(DistinctChecks checks, long killedAt) {}

  /** How often the service is killed with PostgreSQL; a part of that with H2. */
  int kills() {
    return 1;
  }

  /** What the age of decisions is measured by; everyday it is not. */
  LongSupplier clock() {
    return () -> 0;
  }

  /** Judges how old the oldest decision was that a kill took with it. */
  void judge(String database, long oldestLost) {}

  @Test
  @DisplayName("T65: the service killed under load loses nothing older than the sync interval")
  void onPostgresNothingIsDoubledOrOldAndLost() throws Exception {
    PostgresDatabase postgres = PostgresDatabase.shared();
    killAgainAndAgain(kills(), postgres.toml() + DistinctChecks.CONFIG);
    try (StoredAudit stored = StoredAudit.in(postgres, folder)) {
      check("PostgreSQL", stored);
    }
  }

  @Test
  @DisplayName("T65: with the embedded database as well")
  void onTheEmbeddedDatabaseNothingOldIsLost() throws Exception {
    PreparedData.in(data());
    killAgainAndAgain(Math.max(1, kills() / 5), DistinctChecks.CONFIG);
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
    Map<String, String> environment =
        Map.of(
            "RATE_LIMIT_SERVER_DATA", data().toString(),
            "RATE_LIMIT_EVENTS_FILE", folder.resolve("events.jsonl").toString());
    try (WeirServer server = WeirServer.start(new ServerOptions(config, 0, null, environment))) {
      Caller caller = new Caller(server.port());
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> caller.get("/readyz").json().at("/database/waiting").asInt() == 0);
    }
  }

  /** Also when it looks through what the one before has left. */
  private void killWhileStarting(Path config) throws IOException {
    try (ChildServer server = ChildServer.start(config, data())) {
      assertThat(server.endsWithin(random.nextInt(LONGEST_START_MILLIS))).isFalse();
      server.kill();
    }
  }

  private void useAndKill(Path config) throws IOException {
    try (ChildServer server = ChildServer.start(config, data());
        DistinctChecks checks = new DistinctChecks(server.port(), "run" + runs.size(), clock())) {
      // Anywhere in what it does then.
      int decisions = 30 + random.nextInt(MAX_DECISIONS_BEFORE_KILL);
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(1))
          .until(() -> checks.answered().size() >= decisions);
      checks.requireAllAnswered();
      // Before it is sent, so that nothing is taken for younger than it was.
      long killedAt = clock().getAsLong();
      server.kill();
      runs.add(new Run(checks, killedAt));
    }
  }

  private void check(String database, StoredAudit stored) {
    List<String> kept = stored.paths();
    Set<String> distinct = new HashSet<>(kept);
    assertThat(kept).as("seed %d", seed).hasSameSizeAs(distinct);
    Set<String> sent = new HashSet<>();
    int answered = 0;
    int lost = 0;
    long oldestLost = 0;
    for (Run run : runs) {
      sent.addAll(run.checks.sent());
      answered += run.checks.answered().size();
      for (Map.Entry<String, Long> each : run.checks.answered().entrySet()) {
        if (!distinct.contains(each.getKey())) {
          lost++;
          oldestLost = Math.max(oldestLost, run.killedAt - each.getValue());
        }
      }
    }
    System.out.printf(
        "%d kills of the service on %s: %d decisions answered, %d kept, %d lost%n",
        runs.size(), database, answered, kept.size(), lost);
    assertThat(sent).as("seed %d", seed).containsAll(distinct);
    judge(database, oldestLost);
    assertThat(answered).as("seed %d", seed).isGreaterThan(runs.size() * 10);
  }
}
