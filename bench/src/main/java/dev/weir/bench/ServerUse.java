package dev.weir.bench;

import dev.weir.testkit.redis.RespClient;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a Redis server has used so far, as it says itself.
 *
 * @param atNanos when it was asked
 * @param cpuSeconds the time of a core
 * @param scriptCalls how often scripts were called
 */
record ServerUse(long atNanos, double cpuSeconds, long scriptCalls) {
  private static final Pattern CPU = Pattern.compile("used_cpu_(?:user|sys):([0-9.]+)");
  private static final Pattern CALLS = Pattern.compile("cmdstat_eval(?:sha)?:calls=([0-9]+)");

  static ServerUse of(RespClient server) {
    return new ServerUse(
        System.nanoTime(),
        sum(CPU, server.text("INFO", "cpu")),
        Math.round(sum(CALLS, server.text("INFO", "commandstats"))));
  }

  private static double sum(Pattern pattern, String info) {
    double sum = 0;
    for (Matcher found = pattern.matcher(info); found.find(); ) {
      sum += Double.parseDouble(found.group(1));
    }
    return sum;
  }

  /** What was used since then. */
  ServerUse since(ServerUse earlier) {
    return new ServerUse(
        atNanos - earlier.atNanos,
        cpuSeconds - earlier.cpuSeconds,
        scriptCalls - earlier.scriptCalls);
  }

  /** If this is the use of a while, how long that was. */
  double seconds() {
    return atNanos / 1e9;
  }
}
