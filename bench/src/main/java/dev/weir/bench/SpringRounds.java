package dev.weir.bench;

import dev.weir.testkit.process.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares one Spring application with and without limits, several times over, each time with new
 * processes. All of them are up at once and take turns, as in {@link ServerRounds}.
 */
final class SpringRounds {
  private static final int CONNECTIONS = 64;
  private static final int MOST_WARM_UPS = 8;
  private static final Duration SETTLE = Duration.ofSeconds(1);

  private SpringRounds() {}

  /**
   * How much is asked.
   *
   * @param rounds how often all is done anew
   * @param clientCounts for how many clients
   * @param warmUpRequests how often an application is asked, at the least, before anything counts
   * @param warmUp how long at a time; after a few of them it has to do
   * @param turns how often each has its turn
   * @param turn how long that is
   */
  record Pace(
      int rounds,
      List<Integer> clientCounts,
      long warmUpRequests,
      Duration warmUp,
      int turns,
      Duration turn) {
    static final Pace FULL =
        new Pace(
            3, List.of(1_000, 100_000), 400_000, Duration.ofSeconds(8), 4, Duration.ofSeconds(2));
    static final Pace QUICK =
        new Pace(1, List.of(1_000), 1, Duration.ofSeconds(1), 1, Duration.ofSeconds(1));
  }

  private record Application(SpringContender contender, ServerProcess server) {

    /** Compilers go by calls: on a machine that others use too, seconds say little. */
    void warmUp(Wrk wrk, Pace pace) throws IOException, InterruptedException {
      long asked = 0;
      for (int i = 0; i < MOST_WARM_UPS && asked < pace.warmUpRequests; i++) {
        asked += ask(wrk, pace.warmUp).count();
      }
    }

    /** Asks as fast as it goes. */
    ServerLoad.Stretch ask(Wrk wrk, Duration span) throws IOException, InterruptedException {
      Duration before = server.cpu();
      ServerLoad.Stretch asked = wrk.run(server.port(), CONNECTIONS, span);
      Duration cpu = server.cpu().minus(before);
      return new ServerLoad.Stretch(
          asked.count(), asked.seconds(), cpu, Duration.ZERO, asked.bad());
    }
  }

  /**
   * Runs all rounds; what has been measured is written down after each.
   *
   * @param modules the folder of the applications
   * @param folder for files of wrk
   */
  static void run(Pace pace, Path modules, RunFiles files, Path folder)
      throws IOException, InterruptedException {
    // Better now than after the first start.
    Program.required("wrk");
    Map<SpringLoad, Wrk> wrks = new LinkedHashMap<>();
    for (SpringLoad load : SpringLoad.all(pace.clientCounts)) {
      String name = "requests-%s-%d".formatted(load.answer(), load.clients());
      wrks.put(load, Wrk.prepare(requests(load), name, folder));
    }
    List<SpringRun> runs = new ArrayList<>();
    for (int round = 1; round <= pace.rounds; round++) {
      System.err.printf("round %d of %d%n", round, pace.rounds);
      runs.addAll(round(pace, modules, wrks));
      files.write(SpringReport.SUITE, runs);
    }
  }

  private static List<SpringRun> round(Pace pace, Path modules, Map<SpringLoad, Wrk> wrks)
      throws IOException, InterruptedException {
    List<Application> applications = new ArrayList<>();
    try {
      for (SpringContender contender : SpringContender.values()) {
        System.err.printf("  %s%n", contender.title);
        Application application = new Application(contender, contender.start(modules));
        applications.add(application);
        for (Map.Entry<SpringLoad, Wrk> each : wrks.entrySet()) {
          if (each.getKey().clients() == pace.clientCounts.get(0)) {
            application.warmUp(each.getValue(), pace);
          }
        }
      }
      List<SpringRun> runs = new ArrayList<>();
      for (Map.Entry<SpringLoad, Wrk> each : wrks.entrySet()) {
        runs.addAll(takeTurns(applications, each.getKey(), each.getValue(), pace));
      }
      return runs;
    } finally {
      applications.forEach(each -> each.server.close());
    }
  }

  private static List<SpringRun> takeTurns(
      List<Application> applications, SpringLoad load, Wrk wrk, Pace pace)
      throws IOException, InterruptedException {
    for (Application application : applications) {
      application.ask(wrk, SETTLE);
    }
    ServerLoad.Stretch[] all = new ServerLoad.Stretch[applications.size()];
    Arrays.fill(all, ServerLoad.Stretch.NONE);
    for (int turn = 0; turn < pace.turns; turn++) {
      for (int i = 0; i < all.length; i++) {
        all[i] = all[i].plus(applications.get(i).ask(wrk, pace.turn));
      }
    }
    List<SpringRun> runs = new ArrayList<>();
    for (int i = 0; i < all.length; i++) {
      ServerRun.Most most = all[i].most();
      runs.add(
          new SpringRun(
              applications.get(i).contender, load, most.perSecond(), most.cpuMicros(), most.bad()));
    }
    return runs;
  }

  /** A request of each client, with an address that a proxy vouches for. */
  private static byte[][] requests(SpringLoad load) {
    byte[][] requests = new byte[load.clients()][];
    for (int client = 0; client < requests.length; client++) {
      requests[client] =
          "GET %s HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: %s\r\n\r\n"
              .formatted(load.answer().path, ManyClients.address(client))
              .getBytes(StandardCharsets.US_ASCII);
    }
    return requests;
  }
}
