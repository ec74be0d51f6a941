package dev.weir.bench;

/**
 * What one application did in one round, for that many clients, as fast as it goes.
 *
 * @param contender who
 * @param clients how many clients there were
 * @param perSecond requests per second
 * @param cpuMicros its time of a core for each request
 * @param bad requests that failed or were refused
 */
record SpringRun(
    SpringContender contender, int clients, double perSecond, double cpuMicros, long bad) {}
