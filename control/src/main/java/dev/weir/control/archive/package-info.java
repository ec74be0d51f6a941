/**
 * Months that are past their retention leave the database for Parquet files, in a folder or on S3.
 *
 * <p>Start with {@link dev.weir.control.archive.Archive}; {@code MonthWork} has the steps of one
 * month, each of which is recorded in {@code archive_jobs} so that the next run goes on where one
 * was cut off. {@link dev.weir.control.archive.ArchiveSchedule} runs it once a day. What knows
 * Parquet and S3 is loaded when it is needed and not before.
 */
@NullMarked
package dev.weir.control.archive;

import org.jspecify.annotations.NullMarked;
