package dev.weir.control.archive;

import dev.weir.TimeSource;
import dev.weir.control.database.Database;
import dev.weir.control.database.MonthlyTable;
import dev.weir.control.database.Partitions;
import dev.weir.policy.config.AuditSettings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jdbi.v3.core.JdbiException;

/**
 * Moves months that are past their retention out of the database: into Parquet files in a folder or
 * on S3, or to nowhere if {@code audit.archive} is empty. Thread-safe, and safe with several
 * instances on one database.
 *
 * <p>Nothing is dropped before its file has been read back as a whole and found to have the same
 * rows. A run that is cut off at any point loses and doubles nothing; the next one goes on with it.
 */
public final class Archive {
  /** How long files are kept by those who ask for old ones to be deleted, if they do not say. */
  public static final Duration COLD_RETENTION = Duration.ofDays(7 * 365 + 2);

  private static final Duration SHORTEST_COLD_RETENTION = Duration.ofDays(1);

  private final Database database;
  private final Partitions partitions;
  private final Jobs jobs;
  private final Supplier<AuditSettings> settings;
  private final TimeSource time;
  private final Stop stop = new Stop();

  /**
   * An archive.
   *
   * @param settings asked anew by each run
   * @param time says how old a month is
   */
  public Archive(Database database, Supplier<AuditSettings> settings, TimeSource time) {
    this.database = database;
    this.partitions = Partitions.of(database);
    this.jobs = new Jobs(database);
    this.settings = settings;
    this.time = time;
  }

  /** What the next run would do, month by month. Changes nothing. */
  public List<PlannedMonth> plan() {
    AuditSettings now = settings.get();
    boolean isKept = !now.archive().isBlank();
    List<PlannedMonth> months = new ArrayList<>();
    for (ArchiveJob job : jobs.open()) {
      months.add(new PlannedMonth(job.table(), job.month(), job.state(), isKept));
    }
    for (MonthlyTable table : MonthlyTable.values()) {
      for (YearMonth month : due(table, now)) {
        if (months.stream()
            .noneMatch(each -> each.table() == table && each.month().equals(month))) {
          months.add(new PlannedMonth(table, month, ArchiveState.PLANNED, isKept));
        }
      }
    }
    return List.copyOf(months);
  }

  /** Months that lie wholly before the retention, and those that were taken out but not dropped. */
  private SortedSet<YearMonth> due(MonthlyTable table, AuditSettings now) {
    YearMonth end = monthsBefore(now.retention());
    SortedSet<YearMonth> months = new TreeSet<>(partitions.list(table));
    months.removeIf(month -> !month.isBefore(end));
    months.addAll(partitions.listDetached(table));
    return months;
  }

  /** The first month that is not wholly older than that. */
  private YearMonth monthsBefore(Duration age) {
    Instant now = Instant.EPOCH.plus(time.nowMicros(), ChronoUnit.MICROS);
    return YearMonth.from(now.minus(age).atOffset(ZoneOffset.UTC));
  }

  /** All months that have left the database or are about to, by table, month and part. */
  public List<ArchiveJob> list() {
    return jobs.list();
  }

  /**
   * Takes all months that are due out of the database.
   *
   * @return what was done; nothing if another run, of this instance or another one, is at it
   * @throws ArchiveException if the archive cannot be written to, or the database not be used;
   *     failures with one month do not hold up the others and are in the report
   */
  public Optional<ArchiveReport> run() {
    AuditSettings now = settings.get();
    return locked(
        lock -> {
          if (plan().isEmpty()) {
            return new ArchiveReport(List.of(), List.of(), List.of());
          }
          if (now.archive().isBlank()) {
            return new ArchiveRun(jobs, work(Optional.empty(), lock)).all(table -> due(table, now));
          }
          try (Place place = Place.of(now.archive())) {
            // Before anything is detached, so that the months of a wrong place stay where they are.
            place.requireUsable();
            return new ArchiveRun(jobs, work(Optional.of(place), lock))
                .all(table -> due(table, now));
          }
        });
  }

  private MonthWork work(Optional<Place> place, ArchiveLock lock) {
    return new MonthWork(database, jobs, place, lock, stop);
  }

  private interface Locked<T> {
    T call(ArchiveLock lock) throws IOException;
  }

  private <T> Optional<T> locked(Locked<T> call) {
    try {
      Optional<ArchiveLock> taken = ArchiveLock.tryTake(database);
      if (taken.isEmpty()) {
        return Optional.empty();
      }
      try (ArchiveLock lock = taken.get()) {
        return Optional.of(call.call(lock));
      }
    } catch (JdbiException | IOException e) {
      throw new ArchiveException(
          "cannot archive from %s: %s".formatted(database, ArchiveRun.reason(e)), e);
    }
  }

  /**
   * Deletes files of the archive whose months lie wholly before that, and nothing else. Never
   * happens by itself.
   *
   * @param age such as {@link #COLD_RETENTION}
   * @return where the files were that are gone; nothing if a run is at work
   */
  public Optional<List<String>> deleteOlderThan(Duration age) {
    if (age.compareTo(SHORTEST_COLD_RETENTION) < 0) {
      throw new IllegalArgumentException("age must be at least 1 day, got " + age);
    }
    String archive = settings.get().archive();
    return locked(
        lock -> {
          if (archive.isBlank()) {
            return List.of();
          }
          try (Place place = Place.of(archive)) {
            place.requireUsable();
            return new ColdFiles(jobs, place).deleteBefore(monthsBefore(age));
          }
        });
  }

  /** Makes what runs end soon, and later runs at once. What is begun is finished another time. */
  void stop() {
    stop.ask();
  }
}
