/**
 * The rate limiter: what a limit is, what a decision is, and an engine that keeps counters in
 * memory.
 *
 * <p>Start with {@link dev.weir.RateLimiter}. A {@link dev.weir.Limit} says what is allowed, a
 * {@link dev.weir.Decision} what came of a request. A {@link dev.weir.CounterStore} applies an
 * {@link dev.weir.Operation} to counters at one instant; {@link dev.weir.MemoryCounterStore} is the
 * one for a single JVM. The exact meaning of every number is in {@code docs/semantics.md}.
 */
@NullMarked
package dev.weir;

import org.jspecify.annotations.NullMarked;
