package dev.weir.control.archive;

import dev.weir.control.database.MonthlyTable;
import java.time.Instant;
import java.time.YearMonth;
import java.util.Optional;

/**
 * The way of a month out of the database.
 *
 * @param table from where
 * @param month in UTC
 * @param part 1 for the month itself, more for rows that came after it had left
 * @param state how far it is
 * @param file where its file is, or is being written: a path or s3://bucket/key
 * @param rows how many it has, once that is known
 * @param checksum over the content of its rows, in whatever order: 64 hexadecimal digits
 * @param stored the bytes of the file
 * @param createdAt when the job was made
 * @param updatedAt when its last step was done
 */
public record ArchiveJob(
    MonthlyTable table,
    YearMonth month,
    int part,
    ArchiveState state,
    Optional<String> file,
    Optional<Long> rows,
    Optional<String> checksum,
    Optional<Fingerprint> stored,
    Instant createdAt,
    Instant updatedAt) {

  /** Which file it is, wherever that lies. */
  ArchiveFile archiveFile() {
    return new ArchiveFile(table, month, part);
  }

  /** Such as {@code rate_limit_metrics 2026-01}. */
  String title() {
    return table.table() + " " + month + (part == 1 ? "" : ", part " + part);
  }
}
