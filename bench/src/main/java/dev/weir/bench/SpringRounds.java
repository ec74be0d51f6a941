package dev.weir.bench;

import dev.weir.testkit.process.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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

  /**
   * One that is up.
   *
   * @param contender who
   * @param server its process, also that of others if they share it
   * @param wrks what asks it
   */
  private record Running(
      SpringContender contender, ServerProcess server, Map<SpringLoad, Wrk> wrks) {

    /** Compilers go by calls: on a machine that others use too, seconds say little. */
    void warmUp(SpringLoad load, Pace pace) throws IOException, InterruptedException {
      long asked = 0;
      for (int i = 0; i < MOST_WARM_UPS && asked < pace.warmUpRequests; i++) {
        asked += ask(load, pace.warmUp).count();
      }
    }

    /** Asks as fast as it goes. */
    ServerLoad.Stretch ask(SpringLoad load, Duration span)
        throws IOException, InterruptedException {
      Wrk wrk = Objects.requireNonNull(wrks.get(load), load::title);
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
    List<SpringLoad> loads = SpringLoad.all(pace.clientCounts);
    Map<SpringContender, Map<SpringLoad, Wrk>> wrks = new EnumMap<>(SpringContender.class);
    for (SpringContender contender : SpringContender.values()) {
      wrks.put(contender, wrks(contender, loads, folder));
    }
    List<SpringRun> runs = new ArrayList<>();
    for (int round = 1; round <= pace.rounds; round++) {
      System.err.printf("round %d of %d%n", round, pace.rounds);
      runs.addAll(round(pace, modules, loads, wrks));
      files.write(SpringReport.SUITE, runs);
    }
  }

  private static Map<SpringLoad, Wrk> wrks(
      SpringContender contender, List<SpringLoad> loads, Path folder) throws IOException {
    Map<SpringLoad, Wrk> wrks = new HashMap<>();
    for (SpringLoad load : loads) {
      String name = "requests-%s-%s-%d".formatted(contender, load.answer(), load.clients());
      wrks.put(load, Wrk.prepare(requests(contender, load), name, folder));
    }
    return wrks;
  }

  private static List<SpringRun> round(
      Pace pace,
      Path modules,
      List<SpringLoad> loads,
      Map<SpringContender, Map<SpringLoad, Wrk>> wrks)
      throws IOException, InterruptedException {
    Map<String, ServerProcess> servers = new HashMap<>();
    try {
      List<Running> all = new ArrayList<>();
      for (Map.Entry<SpringContender, Map<SpringLoad, Wrk>> each : wrks.entrySet()) {
        SpringContender contender = each.getKey();
        System.err.printf("  %s%n", contender.title);
        ServerProcess server = servers.get(contender.module);
        if (server == null) {
          server = contender.start(modules);
          servers.put(contender.module, server);
        }
        Running running = new Running(contender, server, each.getValue());
        all.add(running);
        for (SpringLoad load : loads) {
          if (load.clients() == pace.clientCounts.get(0)) {
            running.warmUp(load, pace);
          }
        }
      }
      List<SpringRun> runs = new ArrayList<>();
      for (SpringLoad load : loads) {
        runs.addAll(takeTurns(all, load, pace));
      }
      return runs;
    } finally {
      servers.values().forEach(ServerProcess::close);
    }
  }

  private static List<SpringRun> takeTurns(List<Running> all, SpringLoad load, Pace pace)
      throws IOException, InterruptedException {
    for (Running running : all) {
      running.ask(load, SETTLE);
    }
    ServerLoad.Stretch[] asked = new ServerLoad.Stretch[all.size()];
    Arrays.fill(asked, ServerLoad.Stretch.NONE);
    for (int turn = 0; turn < pace.turns; turn++) {
      for (int i = 0; i < asked.length; i++) {
        asked[i] = asked[i].plus(all.get(i).ask(load, pace.turn));
      }
    }
    List<SpringRun> runs = new ArrayList<>();
    for (int i = 0; i < asked.length; i++) {
      ServerRun.Most most = asked[i].most();
      runs.add(
          new SpringRun(
              all.get(i).contender, load, most.perSecond(), most.cpuMicros(), most.bad()));
    }
    return runs;
  }

  /** A request of each client, with an address that a proxy vouches for. */
  private static byte[][] requests(SpringContender contender, SpringLoad load) {
    byte[][] requests = new byte[load.clients()][];
    for (int client = 0; client < requests.length; client++) {
      requests[client] =
          "GET %s HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: %s\r\n\r\n"
              .formatted(contender.path(load.answer()), ManyClients.address(client))
              .getBytes(StandardCharsets.US_ASCII);
    }
    return requests;
  }
}
