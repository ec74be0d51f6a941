package dev.weir.bench;

/**
 * What one server did in one round, for that many clients.
 *
 * @param contender who
 * @param clients how many clients there were
 * @param most as fast as it goes
 * @param half at half of that rate
 */
record ServerRun(ServerContender contender, int clients, Most most, Half half) {

  /**
   * As fast as it goes.
   *
   * @param perSecond decisions per second
   * @param cpuMicros the server's time of a core for each decision
   * @param redisCpuMicros the same of Redis; 0 without one
   * @param bad requests that failed or got another answer than they had to
   */
  record Most(double perSecond, double cpuMicros, double redisCpuMicros, long bad) {}

  /**
   * At a steady rate.
   *
   * @param perSecond decisions per second
   * @param p50Micros how long the middle one took, from when it was due
   * @param p99Micros how long the slowest hundredth took at least
   * @param bad requests that got another answer than they had to
   */
  record Half(double perSecond, double p50Micros, double p99Micros, long bad) {}
}
