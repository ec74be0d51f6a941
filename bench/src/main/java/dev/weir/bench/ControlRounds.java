package dev.weir.bench;

import com.google.gson.Gson;
import dev.weir.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the control plane, each part in a JVM of its own: a server with many keys and users is
 * asked for them and flooded, and a month of decisions has a server for itself.
 */
final class ControlRounds {
  private static final String QUIET = "-Dslf4j.internal.verbosity=ERROR";

  private ControlRounds() {}

  /** Runs all rounds; what has been measured is written down after each. */
  static void run(boolean quick, RunFiles files, Path folder)
      throws IOException, InterruptedException {
    int rounds = quick ? 1 : 3;
    List<ControlRun> runs = new ArrayList<>();
    try (PostgresServer server = ManyClients.server()) {
      ManyClients.fill(server);
      List<String> options = new ArrayList<>(ManyClients.jvmOptions(server));
      options.addAll(List.of("-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch", QUIET));
      for (int round = 1; round <= rounds; round++) {
        System.err.printf("round %d of %d: a service asked with keys%n", round, rounds);
        List<ControlRun.Requests> requests =
            KeyedService.run(server, folder.resolve("" + round), Duration.ofSeconds(quick ? 2 : 5));
        System.err.printf("round %d of %d: clients that are known%n", round, rounds);
        ControlRun.Decisions[] decisions =
            child(ControlRun.Decisions[].class, options, KnownClientLoad.class, quick ? 2 : 50);
        System.err.printf("round %d of %d: keys that nobody has%n", round, rounds);
        UnknownKeys.Result keys =
            child(UnknownKeys.Result.class, options, UnknownKeys.class, quick ? 2 : 10);
        System.err.printf("round %d of %d: a month of decisions%n", round, rounds);
        ControlRun.Month month =
            child(
                ControlRun.Month.class,
                List.of("-Xms3g", "-Xmx3g", QUIET),
                AuditMonth.class,
                quick ? 50_000 : 1_000_000);
        runs.add(new ControlRun(requests, List.of(decisions), keys.flood(), keys.memory(), month));
        files.write(ControlReport.SUITE, runs);
      }
    }
  }

  private static <T> T child(Class<T> result, List<String> options, Class<?> main, Object... args)
      throws IOException, InterruptedException {
    return new Gson().fromJson(ChildJvm.run(options, main, args), result);
  }
}
