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
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
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
  private static final int ADMINS = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int MAX_DECISIONS_BEFORE_KILL = 500;

  private static final Logger LOGGER = Logger.getLogger("dev.weir");

  private final long seed =
      Long.getLong("weir.seed", ThreadLocalRandom.current().nextLong(1_000_000_000_000L));
  private final SplittableRandom random = new SplittableRandom(seed);

  @TempDir private Path folder = Path.of("");

  /** How often PostgreSQL is killed. */
  int kills() {
    return 1;
  }

  /** What the time that decisions take is measured by; everyday it is not. */
  LongSupplier clock() {
    return () -> 0;
  }

  /** Judges how long the slowest decision took by the clock. */
  void judge(long slowest) {}

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
    ScheduledExecutorService threads = Executors.newScheduledThreadPool(ADMINS);
    try (DistinctChecks checks = new DistinctChecks(port, "killed", clock())) {
      for (int i = 0; i < ADMINS; i++) {
        AdminWork admin = new AdminWork(new Caller(port), "admin" + i, random.split());
        admins.add(admin);
        work.add(admin.start(threads));
      }
      for (int kill = 0; kill < kills(); kill++) {
        awaitProgress(admins, work);
        // Anywhere in what it does next.
        int decisions = checks.answered().size() + random.nextInt(MAX_DECISIONS_BEFORE_KILL);
        Awaitility.await()
            .atMost(PATIENCE)
            .pollInterval(Duration.ofMillis(1))
            .until(() -> checks.answered().size() >= decisions);
        postgres.kill();
        if (random.nextInt(3) == 0) {
          // Long enough for calls to fail that began before.
          int before = refused(admins);
          Awaitility.await().atMost(PATIENCE).until(() -> refused(admins) > before);
        }
        postgres.restart();
      }
      awaitProgress(admins, work);
      threads.shutdown();
      assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
      for (Future<?> each : work) {
        if (!each.isCancelled()) {
          // It has failed, which this throws.
          each.get();
        }
      }
      checks.stop();
      checks.requireAllAnswered();
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> caller.get("/readyz").json().at("/database/waiting").asInt() == 0);
      check(postgres, caller, admins, checks);
    } finally {
      threads.shutdownNow();
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
    judge(checks.slowest());
    System.out.printf(
        "%d kills of PostgreSQL: %d decisions, each kept once;"
            + " %d changes acknowledged, %d answered 503, %d acts%n",
        kills(),
        kept.size(),
        admins.stream().mapToInt(AdminWork::acknowledged).sum(),
        refused(admins),
        state.acts());
  }
}
