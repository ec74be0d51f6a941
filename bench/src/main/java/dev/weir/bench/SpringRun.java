package dev.weir.bench;

/**
 * What one application did in one round, as fast as it goes.
 *
 * @param contender who
 * @param load what it was asked for
 * @param perSecond requests per second
 * @param cpuMicros its time of a core for each request
 * @param bad requests that failed or were refused
 */
record SpringRun(
    SpringContender contender, SpringLoad load, double perSecond, double cpuMicros, long bad) {}
