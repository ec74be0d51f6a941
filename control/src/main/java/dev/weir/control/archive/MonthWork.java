package dev.weir.control.archive;

import dev.weir.control.database.Database;
import dev.weir.control.database.MonthlyTable;
import dev.weir.control.database.Partitions;
import java.io.IOException;
import java.io.InputStream;
import java.time.YearMonth;
import java.util.Optional;

/**
 * Takes one month out of the database, step by step.
 *
 * <p>A step does its work first and is recorded afterwards, so after a kill it may be done again:
 * detaching finds the rows detached, writing replaces the file, dropping finds nothing left. Before
 * the first byte of a file is written its address is recorded; a file that is there without that is
 * somebody else's, and is left alone. Rows are dropped only by a run that has itself read the file
 * back.
 */
final class MonthWork {
  private static final System.Logger LOGGER = System.getLogger(MonthWork.class.getName());

  private final Database database;
  private final Partitions partitions;
  private final Jobs jobs;
  private final Optional<Place> place;
  private final ArchiveLock lock;
  private final Stop stop;

  /**
   * @param place where months are kept; nothing: they are not
   */
  MonthWork(Database database, Jobs jobs, Optional<Place> place, ArchiveLock lock, Stop stop) {
    this.database = database;
    this.partitions = Partitions.of(database);
    this.jobs = jobs;
    this.place = place;
    this.lock = lock;
    this.stop = stop;
  }

  /** Goes on until the month has left the database. */
  ArchiveJob finish(ArchiveJob begun) throws IOException {
    ArchiveJob job = resume(begun);
    while (!job.state().isEnd()) {
      stop.check(0);
      job = step(job);
    }
    return job;
  }

  /**
   * Puts the rows of a month that could not be finished back where queries find them. A file that
   * was written is written again by the next run.
   */
  void giveBack(MonthlyTable table, YearMonth month) {
    for (ArchiveJob job : jobs.open()) {
      boolean isBegun = job.state() == ArchiveState.DETACHED || job.state() == ArchiveState.WRITTEN;
      if (isBegun && job.table() == table && job.month().equals(month)) {
        lock.requireHeld();
        if (partitions.attach(table, month)) {
          jobs.move(job, ArchiveState.PLANNED);
        }
      }
    }
  }

  boolean isStopped() {
    return stop.isAsked();
  }

  /** Does the next step, and records it. */
  ArchiveJob step(ArchiveJob job) throws IOException {
    return switch (job.state()) {
      case PLANNED -> detach(job);
      case DETACHED -> writeOrDiscard(job);
      case WRITTEN -> verify(job);
      case VERIFIED -> drop(job);
      case DROPPED, DISCARDED, DELETED -> job;
    };
  }

  /** What an earlier run has left is looked at anew: the file, and where files go. */
  private ArchiveJob resume(ArchiveJob job) {
    if (job.state() != ArchiveState.WRITTEN && job.state() != ArchiveState.VERIFIED) {
      return job;
    }
    boolean isHere = place.isPresent() && job.file().equals(Optional.of(location(job)));
    if (isDetached(job)) {
      if (!isHere) {
        removeAbandoned(job);
        return jobs.forgetFile(job);
      }
      return job.state() == ArchiveState.WRITTEN ? job : jobs.move(job, ArchiveState.WRITTEN);
    }
    if (job.state() == ArchiveState.VERIFIED) {
      return jobs.move(job, ArchiveState.DROPPED);
    }
    if (!isHere) {
      throw new ArchiveException(
          "%s is in %s only, and audit.archive is another place now; set it back for one run"
              .formatted(job.title(), job.file().orElse("no file")));
    }
    return job;
  }

  private boolean isDetached(ArchiveJob job) {
    return partitions.listDetached(job.table()).contains(job.month());
  }

  private DetachedRows rows(ArchiveJob job) {
    return new DetachedRows(database, job.table(), job.month());
  }

  private Place kept() {
    return place.orElseThrow(() -> new IllegalStateException("nothing is archived"));
  }

  private String location(ArchiveJob job) {
    return kept().location(job.archiveFile().name());
  }

  private ArchiveJob detach(ArchiveJob job) {
    boolean isDone = isDetached(job);
    if (isDone && rows(job).isEmpty()) {
      // On H2 a table without rows is what a kill in the middle leaves.
      partitions.dropDetached(job.table(), job.month());
      isDone = false;
    }
    if (!isDone) {
      partitions.detach(job.table(), job.month());
    }
    return jobs.move(job, ArchiveState.DETACHED);
  }

  private ArchiveJob writeOrDiscard(ArchiveJob job) throws IOException {
    boolean isThere = isDetached(job);
    if (isThere && place.isPresent() && !rows(job).isEmpty()) {
      return write(claim(job));
    }
    if (!isThere && job.file().isPresent()) {
      throw new ArchiveException(
          "%s is gone without Weir, and perhaps %s has its rows; if so or if not, delete its row of archive_jobs"
              .formatted(job.table().detached(job.month()), job.file().get()));
    }
    return discard(job, isThere ? rows(job).count() : job.rows().orElse(0L));
  }

  private ArchiveJob discard(ArchiveJob job, long rows) {
    removeAbandoned(job);
    ArchiveJob counted = jobs.counted(job, rows);
    lock.requireHeld();
    partitions.dropDetached(job.table(), job.month());
    ArchiveJob discarded = jobs.move(counted, ArchiveState.DISCARDED);
    if (rows == 0) {
      // Each start makes last month's partition anew, and a short retention takes it away again.
      jobs.remove(discarded);
    }
    return discarded;
  }

  /** Finds a name for the file that nobody else has, and records it. */
  private ArchiveJob claim(ArchiveJob job) {
    if (job.file().equals(Optional.of(location(job)))) {
      return job;
    }
    removeAbandoned(job);
    ArchiveJob ours = job;
    while (kept().exists(ours.archiveFile().name())) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "{0} is there already and no file of this database; the month gets another name",
          location(ours));
      ours = jobs.renumber(ours, ours.part() + 1);
    }
    return jobs.claim(ours, location(ours));
  }

  /** A file in a place that is no longer that of the archive; all of its rows are still here. */
  private void removeAbandoned(ArchiveJob job) {
    if (job.file().isEmpty()) {
      return;
    }
    String file = job.file().get();
    String name = job.archiveFile().name();
    try (Place before = Place.of(file.substring(0, file.length() - name.length() - 1))) {
      before.delete(name);
    } catch (ArchiveException e) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "{0} is of no use any more and cannot be deleted: {1}",
          file,
          e.getMessage());
    }
  }

  private ArchiveJob write(ArchiveJob job) throws IOException {
    lock.requireHeld();
    return write(job, RowFormat.of(job.table()));
  }

  private <T extends ArchiveRow> ArchiveJob write(ArchiveJob job, RowFormat<T> format)
      throws IOException {
    Fingerprint[] stored = new Fingerprint[1];
    Contents contents =
        kept()
            .write(
                job.archiveFile().name(),
                out -> {
                  HashingOutput hashing = new HashingOutput(out);
                  ParquetRows<T> parquet = new ParquetRows<>(format, stop);
                  Contents written = rows(job).read(format, rows -> parquet.write(rows, hashing));
                  stored[0] = hashing.fingerprint();
                  return written;
                });
    return jobs.written(job, contents, stored[0]);
  }

  private ArchiveJob verify(ArchiveJob job) throws IOException {
    Optional<String> damage = damage(job);
    if (damage.isEmpty()) {
      return jobs.move(job, ArchiveState.VERIFIED);
    }
    String file = job.file().orElse("");
    if (!isDetached(job)) {
      throw new ArchiveException(
          "%s is damaged: %s; its rows are no longer in the database"
              .formatted(file, damage.get()));
    }
    jobs.move(job, ArchiveState.DETACHED);
    throw new ArchiveException(
        "%s is damaged: %s; nothing was dropped, and the next run writes it again"
            .formatted(file, damage.get()));
  }

  /** What is wrong with a file, all of which is read back from where it is stored. */
  private Optional<String> damage(ArchiveJob job) throws IOException {
    String name = job.archiveFile().name();
    if (!kept().exists(name)) {
      return Optional.of("it is not there");
    }
    Fingerprint stored;
    try (InputStream in = kept().read(name)) {
      stored = HashingOutput.fingerprint(in, stop);
    }
    if (!job.stored().equals(Optional.of(stored))) {
      return Optional.of(
          "%s were written, %s are stored"
              .formatted(job.stored().map(MonthWork::words).orElse("no bytes"), words(stored)));
    }
    Contents contents;
    try {
      contents = new ParquetRows<>(RowFormat.of(job.table()), stop).read(kept().parquet(name));
    } catch (ArchiveException e) {
      throw e;
    } catch (RuntimeException e) {
      return Optional.of("it cannot be read: " + ArchiveException.reason(e));
    }
    if (job.rows().orElse(-1L) != contents.rows()) {
      return Optional.of(
          "%s rows were written, %s are stored"
              .formatted(job.rows().map(String::valueOf).orElse("no"), contents.rows()));
    }
    if (!job.checksum().equals(Optional.of(contents.checksum()))) {
      return Optional.of(
          "the checksum of its rows is %s, that of the rows of the database %s"
              .formatted(contents.checksum(), job.checksum().orElse("not known")));
    }
    return Optional.empty();
  }

  private static String words(Fingerprint fingerprint) {
    return "%d bytes with SHA-256 %s".formatted(fingerprint.bytes(), fingerprint.sha256());
  }

  private ArchiveJob drop(ArchiveJob job) {
    if (isDetached(job)) {
      long there = rows(job).count();
      if (there != job.rows().orElse(-1L)) {
        jobs.move(job, ArchiveState.DETACHED);
        throw new ArchiveException(
            "%s has %s rows, and %s has %d; nothing was dropped, and the next run writes it again"
                .formatted(
                    job.file().orElse(""),
                    job.rows().map(String::valueOf).orElse("no"),
                    job.table().detached(job.month()),
                    there));
      }
      lock.requireHeld();
      partitions.dropDetached(job.table(), job.month());
    }
    return jobs.move(job, ArchiveState.DROPPED);
  }
}
