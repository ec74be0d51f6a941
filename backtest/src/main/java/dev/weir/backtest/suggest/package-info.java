/**
 * Which limits would suit the traffic of a log, found by trying many of them at once.
 *
 * <p>Start with {@link dev.weir.backtest.suggest.Suggester}, which is told of every request and
 * gives {@link dev.weir.backtest.suggest.Suggestions}. A {@code Lane} is a kind of limit and a
 * window with a limiter for each number of permits, its rungs, on the engine that decides in life;
 * {@code Lanes} knows which of them a request has to be put to; an {@code EndpointSample} holds the
 * clients of an endpoint that are looked at, of very many only some.
 */
@NullMarked
package dev.weir.backtest.suggest;

import org.jspecify.annotations.NullMarked;
