/**
 * A report as one page for a browser, which loads nothing and runs nothing.
 *
 * <p>Start with {@link dev.weir.backtest.html.BacktestPage}. All of it is written by {@code
 * Markup}, which escapes every text, since much of a report was chosen by strangers. Charts are
 * drawings inside the page.
 */
@NullMarked
package dev.weir.backtest.html;

import org.jspecify.annotations.NullMarked;
