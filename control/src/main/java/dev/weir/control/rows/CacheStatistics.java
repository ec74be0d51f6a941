package dev.weir.control.rows;

/**
 * How a {@link RowCache} does.
 *
 * @param entries how many rows, and absences of rows, it has
 * @param hits how often it knew
 * @param misses how often it did not
 * @param lookUps how often it asked the database for one row
 * @param refused how often it would have asked, had the bound or the database let it
 * @param isDown whether the database cannot be asked
 */
public record CacheStatistics(
    long entries, long hits, long misses, long lookUps, long refused, boolean isDown) {}
