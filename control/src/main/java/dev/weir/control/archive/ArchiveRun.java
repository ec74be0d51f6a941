package dev.weir.control.archive;

import dev.weir.control.database.MonthlyTable;
import java.io.IOException;
import java.sql.SQLException;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** One run over all months. */
final class ArchiveRun {
  private static final System.Logger LOGGER = System.getLogger(ArchiveRun.class.getName());

  private final Jobs jobs;
  private final MonthWork work;
  private final List<ArchiveJob> archived = new ArrayList<>();
  private final List<ArchiveJob> discarded = new ArrayList<>();
  private final List<ArchiveReport.Failure> failures = new ArrayList<>();

  ArchiveRun(Jobs jobs, MonthWork work) {
    this.jobs = jobs;
    this.work = work;
  }

  /**
   * First what is begun, then what is due: rows that came late are due again.
   *
   * @param due the months of a table that are
   */
  ArchiveReport all(Function<MonthlyTable, Set<YearMonth>> due) {
    for (ArchiveJob job : jobs.open()) {
      attempt(job.table(), job.month(), () -> job);
    }
    for (MonthlyTable table : MonthlyTable.values()) {
      for (YearMonth month : due.apply(table)) {
        if (!hasFailed(table, month) && !work.isStopped()) {
          attempt(table, month, () -> jobs.create(table, month));
        }
      }
    }
    return new ArchiveReport(archived, discarded, failures);
  }

  private boolean hasFailed(MonthlyTable table, YearMonth month) {
    return failures.stream()
        .anyMatch(failure -> failure.table() == table && failure.month().equals(month));
  }

  private interface Begun {
    ArchiveJob job();
  }

  private void attempt(MonthlyTable table, YearMonth month, Begun begun) {
    try {
      ArchiveJob job = work.finish(begun.job());
      (job.state() == ArchiveState.DROPPED ? archived : discarded).add(job);
    } catch (IOException | RuntimeException e) {
      String message = "%s %s stays: %s".formatted(table.table(), month, reason(e));
      LOGGER.log(System.Logger.Level.WARNING, message);
      LOGGER.log(System.Logger.Level.DEBUG, message, e);
      failures.add(new ArchiveReport.Failure(table, month, message));
      giveBack(table, month);
    }
  }

  private void giveBack(MonthlyTable table, YearMonth month) {
    try {
      work.giveBack(table, month);
    } catch (RuntimeException e) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "{0} {1} is not in queries until the next run: {2}",
          table.table(),
          month,
          reason(e));
    }
  }

  /** The words of whoever knows best: our own, or else those of the innermost cause. */
  static String reason(Throwable failure) {
    Throwable best = failure;
    while (!(best instanceof ArchiveException || best instanceof SQLException)
        && best.getCause() != null) {
      best = best.getCause();
    }
    return ArchiveException.reason(best).strip().replaceAll("\\s+", " ");
  }
}
