package dev.weir.backtest;

/**
 * What becomes of the same requests under a policy, and what became of them before.
 *
 * @param after under the policy that is tried
 * @param before under the one that it is compared with, or in life; only of requests of which that
 *     is known
 * @param newlyRefused how many passed before and do not any more
 * @param noLongerRefused how many did not pass before and do now
 */
public record Comparison(Tally after, Tally before, long newlyRefused, long noLongerRefused) {}
