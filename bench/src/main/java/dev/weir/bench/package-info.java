/**
 * Weir beside its peers: speed, memory per key and behaviour under a flood of keys.
 *
 * <p>Start with {@link dev.weir.bench.Bench}, which {@code bench/run} starts. {@link
 * dev.weir.bench.SingleLimiterBenchmark} and {@link dev.weir.bench.KeyedBenchmark} are timed by
 * JMH, {@link dev.weir.bench.MemoryPerKey} and {@link dev.weir.bench.KeyFlood} run in a JVM of
 * their own, and {@link dev.weir.bench.Report} turns what they wrote into the tables of {@code
 * docs/performance}.
 */
@NullMarked
package dev.weir.bench;

import org.jspecify.annotations.NullMarked;
