package dev.weir.bench;

import dev.weir.testkit.process.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Compares servers, several times over, each time with new processes. Those that are compared are
 * all up at once and take turns, for a few seconds each: a machine that others use too is now
 * faster and now slower, and that must not fall on one of them.
 *
 * @param runs those of the first round first
 * @param library Weir's store on Redis, without a server in front of it
 */
record ServerRounds(List<ServerRun> runs, List<RedisRun> library) {

  /**
   * How much is asked.
   *
   * @param rounds how often all is done anew
   * @param clientCounts for how many clients
   * @param warmUp how long a server is asked before anything counts
   * @param turns how often each of those that are compared has its turn
   * @param turn how long that is
   * @param half how long a server is asked at half of its rate
   * @param library how much the library is asked
   */
  record Pace(
      int rounds,
      List<Integer> clientCounts,
      Duration warmUp,
      int turns,
      Duration turn,
      Duration half,
      RedisLoad.Pace library) {
    static final Pace FULL =
        new Pace(
            3,
            List.of(1_000, 100_000),
            Duration.ofSeconds(16),
            3,
            Duration.ofSeconds(2),
            Duration.ofSeconds(3),
            RedisLoad.Pace.FULL);
    static final Pace QUICK =
        new Pace(
            1,
            List.of(1_000),
            Duration.ofSeconds(1),
            1,
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            RedisLoad.Pace.QUICK);
  }

  private static final Duration SETTLE = Duration.ofSeconds(1);

  static ServerRounds run(Pace pace, Path folder) throws IOException, InterruptedException {
    // Better now than after ten minutes.
    Program.required("wrk");
    Program.required("nginx");
    ServerRounds all = new ServerRounds(new ArrayList<>(), new ArrayList<>());
    for (int round = 1; round <= pace.rounds; round++) {
      System.err.printf("round %d of %d%n", round, pace.rounds);
      for (List<ServerContender> group : ServerContender.groups()) {
        all.runs.addAll(compare(group, pace, folder));
      }
      for (int clients : pace.clientCounts) {
        System.err.printf("  %s, %,d clients%n", ServerReport.LIBRARY, clients);
        all.library.add(RedisRounds.one(RedisContender.WEIR, clients, pace.library));
      }
    }
    return all;
  }

  private static List<ServerRun> compare(List<ServerContender> group, Pace pace, Path folder)
      throws IOException, InterruptedException {
    List<ServerLoad> loads = new ArrayList<>();
    try {
      for (ServerContender contender : group) {
        System.err.printf("  %s%n", contender.title);
        ServerLoad load = ServerLoad.start(contender, folder);
        loads.add(load);
        load.ask(pace.clientCounts.get(0), pace.warmUp);
      }
      List<ServerRun> runs = new ArrayList<>();
      for (int clients : pace.clientCounts) {
        runs.addAll(takeTurns(loads, clients, pace));
      }
      return runs;
    } finally {
      loads.forEach(ServerLoad::close);
    }
  }

  private static List<ServerRun> takeTurns(List<ServerLoad> loads, int clients, Pace pace)
      throws IOException, InterruptedException {
    for (ServerLoad load : loads) {
      load.ask(clients, SETTLE);
    }
    ServerLoad.Stretch[] most = new ServerLoad.Stretch[loads.size()];
    Arrays.fill(most, ServerLoad.Stretch.NONE);
    for (int turn = 0; turn < pace.turns; turn++) {
      for (int i = 0; i < most.length; i++) {
        most[i] = most[i].plus(loads.get(i).ask(clients, pace.turn));
      }
    }
    List<ServerRun> runs = new ArrayList<>();
    for (int i = 0; i < most.length; i++) {
      ServerLoad load = loads.get(i);
      ServerRun.Most full = most[i].most();
      runs.add(
          new ServerRun(
              load.contender,
              clients,
              full,
              load.askAt(full.perSecond() / 2, clients, SETTLE, pace.half)));
    }
    return runs;
  }
}
