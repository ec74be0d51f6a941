package dev.weir.control.archive;

import dev.weir.control.database.MonthlyTable;
import java.time.YearMonth;
import java.util.List;
import java.util.Optional;

/**
 * What a run has done.
 *
 * @param archived months that are in files now, and no longer in the database
 * @param discarded months that were dropped without a file: empty ones, or all if nothing is
 *     archived
 * @param failures months that stay, and why
 */
public record ArchiveReport(
    List<ArchiveJob> archived, List<ArchiveJob> discarded, List<Failure> failures) {

  /**
   * A month that stays.
   *
   * @param message one line that says why
   */
  public record Failure(MonthlyTable table, YearMonth month, String message) {}

  public ArchiveReport {
    archived = List.copyOf(archived);
    discarded = List.copyOf(discarded);
    failures = List.copyOf(failures);
  }

  /** How many rows went into files. */
  public long rows() {
    return archived.stream().mapToLong(job -> job.rows().orElse(0L)).sum();
  }

  /** Where those files are. */
  public List<String> files() {
    return archived.stream().map(ArchiveJob::file).flatMap(Optional::stream).toList();
  }

  /** How many months have left the database, with a file or without. */
  public int dropped() {
    return archived.size() + discarded.size();
  }

  /** Whether every month that was due has left. */
  public boolean isComplete() {
    return failures.isEmpty();
  }
}
