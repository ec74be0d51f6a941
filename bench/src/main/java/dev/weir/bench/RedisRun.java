package dev.weir.bench;

import java.util.List;

/**
 * What one contender did in one process, with a server of its own.
 *
 * @param contender who
 * @param server the version of the server
 * @param keys how many clients there were
 * @param loads one for each number of requests in flight
 * @param calm one request after the other, at a low rate
 * @param memory of one ordinary client
 */
record RedisRun(
    RedisContender contender, String server, int keys, List<Load> loads, Load calm, Memory memory) {

  /**
   * What came of asking for a while.
   *
   * @param inFlight how many requests were under way at each time
   * @param perSecond decisions per second
   * @param failed requests that got no answer
   * @param wrong requests that got another answer than they had to
   * @param p50Micros how long the middle one took
   * @param p99Micros how long the slowest hundredth took at least
   * @param redisCpu the server's share of a core
   * @param scriptCalls calls of scripts for each decision
   */
  record Load(
      int inFlight,
      double perSecond,
      long failed,
      long wrong,
      double p50Micros,
      double p99Micros,
      double redisCpu,
      double scriptCalls) {

    static Load of(int inFlight, Tally tally, ServerUse use) {
      return new Load(
          inFlight,
          tally.count() / use.seconds(),
          tally.failed(),
          tally.wrong(),
          tally.micros(50),
          tally.micros(99),
          use.cpuSeconds() / use.seconds(),
          use.scriptCalls() / (double) tally.count());
    }
  }

  /**
   * What an ordinary client takes on the server.
   *
   * @param redisKeys how many keys
   * @param bytes how much all of them take, by {@code MEMORY USAGE}
   */
  record Memory(int redisKeys, long bytes) {}
}
