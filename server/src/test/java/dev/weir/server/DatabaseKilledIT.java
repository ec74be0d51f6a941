package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.postgres.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service while its PostgreSQL is killed again and again. */
class DatabaseKilledIT {
  private static final int KILLS = Integer.getInteger("weir.control.database.kills", 3);
  private static final int ADMINS = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long LONGEST_LIFE_NANOS = 500_000_000;

  /** No decision waits for the database; but a decision may wait for a processor. */
  private static final Duration LONGEST_DECISION = Duration.ofSeconds(5);

  private static final Logger LOGGER = Logger.getLogger("dev.weir");

  private final long seed =
      Long.getLong("weir.seed", ThreadLocalRandom.current().nextLong(1_000_000_000_000L));
  private final SplittableRandom random = new SplittableRandom(seed);

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void beQuiet() {
    LOGGER.setLevel(Level.SEVERE);
  }

  @AfterEach
  void beLoud() {
    LOGGER.setLevel(null);
  }

  @Test
  @DisplayName("T64, T65: PostgreSQL killed under load costs no decision, change or audit row")
  void nothingFailsIsLostOrDoubled() throws Exception {
    Path config = folder.resolve("weir.toml");
    Map<String, String> environment =
        Map.of(
            "RATE_LIMIT_SERVER_DATA", folder.resolve("data").toString(),
            "RATE_LIMIT_EVENTS_FILE", folder.resolve("events.jsonl").toString());
    try (PostgresServer postgres = PostgresServer.start(PostgresServer.Version.V18)) {
      Files.writeString(config, StoredAudit.config(postgres) + DistinctChecks.CONFIG);
      try (WeirServer server = WeirServer.start(new ServerOptions(config, 0, null, environment))) {
        breakUnderLoad(postgres, server.port());
      }
    } catch (AssertionError | RuntimeException failure) {
      throw new AssertionError("seed " + seed, failure);
    }
  }

  private void breakUnderLoad(PostgresServer postgres, int port) throws Exception {
    Caller caller = new Caller(port);
    List<AdminWork> admins = new ArrayList<>();
    List<Future<?>> work = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(ADMINS);
    try (DistinctChecks checks = new DistinctChecks(port, "killed")) {
      for (int i = 0; i < ADMINS; i++) {
        AdminWork admin = new AdminWork(new Caller(port), "admin" + i, random.split());
        admins.add(admin);
        work.add(threads.submit(admin));
      }
      for (int kill = 0; kill < KILLS; kill++) {
        awaitProgress(admins, work);
        // Anywhere in what it does next.
        LockSupport.parkNanos(random.nextLong(LONGEST_LIFE_NANOS));
        postgres.kill();
        if (random.nextInt(3) == 0) {
          // Long enough for calls to fail that began before.
          int before = refused(admins);
          Awaitility.await().atMost(PATIENCE).until(() -> refused(admins) > before);
        }
        postgres.restart();
      }
      awaitProgress(admins, work);
      admins.forEach(AdminWork::stop);
      for (Future<?> each : work) {
        each.get();
      }
      checks.stop();
      checks.requireAllAnswered();
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> caller.get("/readyz").json().at("/database/waiting").asInt() == 0);
      check(postgres, caller, admins, checks);
    } finally {
      admins.forEach(AdminWork::stop);
      threads.shutdown();
    }
  }

  /** Waits until each admin has changed something since now. */
  private static void awaitProgress(List<AdminWork> admins, List<Future<?>> work) {
    List<Integer> before = admins.stream().map(AdminWork::acknowledged).toList();
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .until(
            () -> {
              boolean all = true;
              for (int i = 0; i < admins.size(); i++) {
                if (work.get(i).isDone()) {
                  work.get(i).get();
                }
                all &= admins.get(i).acknowledged() > before.get(i);
              }
              return all;
            });
  }

  private static int refused(List<AdminWork> admins) {
    return admins.stream().mapToInt(AdminWork::refused).sum();
  }

  private void check(
      PostgresServer postgres, Caller caller, List<AdminWork> admins, DistinctChecks checks) {
    AdminState state = AdminState.read(caller);
    admins.forEach(admin -> admin.check(state));
    // Nothing is there that no admin has made.
    assertThat(state.entries().keySet()).allMatch(subject -> subject.contains(":admin"));
    List<String> kept;
    try (StoredAudit stored = StoredAudit.in(postgres, folder)) {
      assertThat(stored.firstBrokenAct()).isNull();
      kept = stored.paths();
    }
    assertThat(kept).hasSameSizeAs(checks.answered().keySet());
    assertThat(new HashSet<>(kept)).isEqualTo(checks.answered().keySet());
    assertThat(caller.get("/readyz").json().at("/database/dropped").asInt()).isZero();
    assertThat(checks.slowest()).isLessThan(LONGEST_DECISION);
    System.out.printf(
        "%d kills of PostgreSQL: %d decisions, slowest %d ms, each kept once;"
            + " %d changes acknowledged, %d answered 503, %d acts%n",
        KILLS,
        kept.size(),
        checks.slowest().toMillis(),
        admins.stream().mapToInt(AdminWork::acknowledged).sum(),
        refused(admins),
        state.acts());
  }
}
