/**
 * How many requests there were and how long they took, by the minute, the hour and the day.
 *
 * <p>{@link dev.weir.control.rollup.RollupObserver} adds up decisions in memory and puts what came
 * together into the outbox once a second; {@link dev.weir.control.rollup.RollupSink} merges that
 * into {@code rate_limit_metrics}, early or late; {@link dev.weir.control.rollup.RollupQueries}
 * looks at it. Percentiles come from a {@link dev.weir.control.rollup.LatencySketch}, which can be
 * merged where percentiles cannot.
 */
@NullMarked
package dev.weir.control.rollup;

import org.jspecify.annotations.NullMarked;
