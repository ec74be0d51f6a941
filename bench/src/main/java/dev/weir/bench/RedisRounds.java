package dev.weir.bench;

import com.google.gson.Gson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets all contenders run one after the other, several times over: what is compared ran within two
 * minutes.
 */
final class RedisRounds {
  private static final List<String> JVM_OPTIONS =
      List.of("-Xms1g", "-Xmx1g", "-Dslf4j.internal.verbosity=ERROR");

  private RedisRounds() {}

  /** The runs, those of the first round first. */
  static List<RedisRun> run(boolean quick) throws IOException, InterruptedException {
    int rounds = quick ? 1 : 3;
    RedisLoad.Pace pace = quick ? RedisLoad.Pace.QUICK : RedisLoad.Pace.FULL;
    List<RedisRun> runs = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      for (int keys : quick ? new int[] {1_000} : new int[] {1_000, 100_000}) {
        for (RedisContender contender : RedisContender.values()) {
          System.err.printf("round %d of %d, %,d keys: %s%n", round, rounds, keys, contender.title);
          runs.add(one(contender, keys, pace));
        }
      }
    }
    return runs;
  }

  /** One contender in a JVM of its own. */
  static RedisRun one(RedisContender contender, int keys, RedisLoad.Pace pace)
      throws IOException, InterruptedException {
    String json = ChildJvm.run(JVM_OPTIONS, RedisLoad.class, contender, keys, pace);
    return new Gson().fromJson(json, RedisRun.class);
  }
}
