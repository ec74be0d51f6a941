/**
 * Weir beside its peers: speed, memory per key and behaviour under a flood of keys, in memory and
 * on Redis; and what rules cost.
 *
 * <p>Start with {@link dev.weir.bench.Bench}, which {@code bench/run} starts. {@link
 * dev.weir.bench.SingleLimiterBenchmark} and {@link dev.weir.bench.KeyedBenchmark} are timed by
 * JMH, {@link dev.weir.bench.MemoryPerKey} and {@link dev.weir.bench.KeyFlood} run in a JVM of
 * their own; {@link dev.weir.bench.GateBenchmark}, {@link dev.weir.bench.CompileBenchmark} and
 * {@link dev.weir.policy.MatchBenchmark} are about {@link dev.weir.bench.MixedRules}. {@link
 * dev.weir.bench.RedisLoad} asks each {@link dev.weir.bench.RedisContender} on a real server.
 * {@link dev.weir.bench.KnownClientLoad}, {@link dev.weir.bench.UnknownKeys} and {@link
 * dev.weir.bench.AuditMonth} are about the control plane on PostgreSQL. {@link
 * dev.weir.bench.SpringRounds} asks the applications of the modules in {@code bench/spring}. {@link
 * dev.weir.bench.CoreReport}, {@link dev.weir.bench.PolicyReport}, {@link
 * dev.weir.bench.RedisReport}, {@link dev.weir.bench.ControlReport} and {@link
 * dev.weir.bench.SpringReport} turn what they wrote into the tables of {@code docs/performance}.
 */
@NullMarked
package dev.weir.bench;

import org.jspecify.annotations.NullMarked;
