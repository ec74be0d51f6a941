/**
 * What a policy would have done to the requests of a log, decided by the same gate and counters as
 * in life, on a clock that the log moves.
 *
 * <p>A {@link dev.weir.backtest.RequestLog} gives the requests of one or many files in the order of
 * their times; {@link dev.weir.backtest.LogFiles} opens it. A {@link dev.weir.backtest.Backtest}
 * puts each to the new policy and to what it is compared with, and adds up a {@link
 * dev.weir.backtest.BacktestReport}. Neither needs more memory for a longer log.
 */
@NullMarked
package dev.weir.backtest;

import org.jspecify.annotations.NullMarked;
