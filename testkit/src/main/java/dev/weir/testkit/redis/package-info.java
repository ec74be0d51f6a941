/**
 * Real Redis servers for tests, and ways to break them.
 *
 * <p>Start with {@link dev.weir.testkit.redis.RedisServer}, one process that can be paused, killed
 * and restarted. {@link dev.weir.testkit.redis.RedisSentinels} and {@link
 * dev.weir.testkit.redis.RedisCluster} build on it. {@link dev.weir.testkit.redis.FaultyProxy}
 * breaks the network before a server, {@link dev.weir.testkit.redis.FakeRedis} says what a real one
 * says too rarely, and {@link dev.weir.testkit.redis.RespClient} looks at a server with nothing of
 * the client under test in between.
 */
@NullMarked
package dev.weir.testkit.redis;

import org.jspecify.annotations.NullMarked;
