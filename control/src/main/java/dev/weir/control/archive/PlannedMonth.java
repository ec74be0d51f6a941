package dev.weir.control.archive;

import dev.weir.control.database.MonthlyTable;
import java.time.YearMonth;

/**
 * A month that the next run deals with.
 *
 * @param table from where it leaves
 * @param month in UTC
 * @param state how far it is already
 * @param isKept whether it goes to the archive; otherwise it is dropped
 */
public record PlannedMonth(
    MonthlyTable table, YearMonth month, ArchiveState state, boolean isKept) {}
