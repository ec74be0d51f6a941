/**
 * Counters on Redis and Valkey, shared by a fleet: the same decisions as in memory, in one round
 * trip.
 *
 * <p>Start with {@link dev.weir.redis.RedisCounterStore}. All of a decision happens in {@code
 * apply.lua}; {@link dev.weir.redis.Batch} writes what the script is asked and reads what it
 * answers.
 */
@NullMarked
package dev.weir.redis;

import org.jspecify.annotations.NullMarked;
