package dev.weir.control.archive;

import dev.weir.control.database.Database;
import dev.weir.control.database.MonthlyTable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.statement.Update;

/**
 * The table {@code archive_jobs}. A step is recorded only by whoever saw the one before: a second
 * instance that works on the same month fails instead of doing it twice.
 */
final class Jobs {
  private static final String KEY =
      " where table_name = :table and first_day = :day and part = :part";

  private final Database database;

  Jobs(Database database) {
    this.database = database;
  }

  /** All of them: by table, month and part. */
  List<ArchiveJob> list() {
    return database
        .jdbi()
        .withHandle(
            handle ->
                handle
                    .createQuery("select * from archive_jobs order by table_name, first_day, part")
                    .map((row, context) -> job(row))
                    .list());
  }

  /** Those that have something left to do. */
  List<ArchiveJob> open() {
    return list().stream().filter(job -> !job.state().isEnd()).toList();
  }

  /** Makes a job for a month, with the part that comes next. */
  ArchiveJob create(MonthlyTable table, YearMonth month) {
    int part = nextPart(table, month);
    database
        .jdbi()
        .useHandle(
            handle ->
                handle
                    .createUpdate(
                        """
                        insert into archive_jobs (table_name, first_day, part)
                        values (:table, :day, :part)
                        """)
                    .bind("table", table.table())
                    .bind("day", month.atDay(1))
                    .bind("part", part)
                    .execute());
    return read(table, month, part);
  }

  private int nextPart(MonthlyTable table, YearMonth month) {
    return 1
        + database
            .jdbi()
            .withHandle(
                handle ->
                    handle
                        .createQuery(
                            """
                            select coalesce(max(part), 0) from archive_jobs
                            where table_name = :table and first_day = :day
                            """)
                        .bind("table", table.table())
                        .bind("day", month.atDay(1))
                        .mapTo(Integer.class)
                        .one());
  }

  /** Gives a job another part, because a file that is not its own has its name. */
  ArchiveJob renumber(ArchiveJob job, int part) {
    change(job, "part = :next, file = null", update -> update.bind("next", part));
    return read(job.table(), job.month(), part);
  }

  /** Removes a job that had nothing to do, and is at its end. */
  void remove(ArchiveJob job) {
    database
        .jdbi()
        .useHandle(
            handle ->
                handle
                    .createUpdate("delete from archive_jobs" + KEY + " and state = 'discarded'")
                    .bind("table", job.table().table())
                    .bind("day", job.month().atDay(1))
                    .bind("part", job.part())
                    .execute());
  }

  /** Says where the file will be, before the first byte of it is written. */
  ArchiveJob claim(ArchiveJob job, String file) {
    change(job, "file = :file", update -> update.bind("file", file));
    return reread(job);
  }

  ArchiveJob counted(ArchiveJob job, long rows) {
    change(job, "row_count = :rows", update -> update.bind("rows", rows));
    return reread(job);
  }

  ArchiveJob written(ArchiveJob job, Contents contents, Fingerprint stored) {
    change(
        job,
        """
        state = 'written', row_count = :rows, checksum = :checksum,
        file_bytes = :bytes, file_sha256 = :sha256""",
        update ->
            update
                .bind("rows", contents.rows())
                .bind("checksum", contents.checksum())
                .bind("bytes", stored.bytes())
                .bind("sha256", stored.sha256()));
    return reread(job);
  }

  /** Goes back to before there was a file. */
  ArchiveJob forgetFile(ArchiveJob job) {
    change(
        job,
        """
        state = 'detached', file = null, row_count = null, checksum = null,
        file_bytes = null, file_sha256 = null""",
        update -> update);
    return reread(job);
  }

  ArchiveJob move(ArchiveJob job, ArchiveState state) {
    change(job, "state = :next", update -> update.bind("next", state.text()));
    return reread(job);
  }

  private interface Values {
    Update bind(Update update);
  }

  private void change(ArchiveJob job, String set, Values values) {
    int changed =
        database
            .jdbi()
            .withHandle(
                handle ->
                    values
                        .bind(
                            handle.createUpdate(
                                "update archive_jobs set updated_at = current_timestamp, "
                                    + set
                                    + KEY
                                    + " and state = :state"))
                        .bind("table", job.table().table())
                        .bind("day", job.month().atDay(1))
                        .bind("part", job.part())
                        .bind("state", job.state().text())
                        .execute());
    if (changed != 1) {
      throw new ArchiveException(
          "%s is no longer %s: somebody else has gone on with it"
              .formatted(job.title(), job.state().text()));
    }
  }

  private ArchiveJob reread(ArchiveJob job) {
    return read(job.table(), job.month(), job.part());
  }

  private ArchiveJob read(MonthlyTable table, YearMonth month, int part) {
    return database
        .jdbi()
        .withHandle(
            handle ->
                handle
                    .createQuery("select * from archive_jobs" + KEY)
                    .bind("table", table.table())
                    .bind("day", month.atDay(1))
                    .bind("part", part)
                    .map((row, context) -> job(row))
                    .one());
  }

  private static ArchiveJob job(ResultSet row) throws SQLException {
    String sha256 = row.getString("file_sha256");
    Optional<Long> rows = number(row, "row_count");
    return new ArchiveJob(
        table(row.getString("table_name")),
        YearMonth.from(row.getObject("first_day", LocalDate.class)),
        row.getInt("part"),
        ArchiveState.of(row.getString("state")),
        Optional.ofNullable(row.getString("file")),
        rows,
        Optional.ofNullable(row.getString("checksum")),
        number(row, "file_bytes").map(bytes -> new Fingerprint(bytes, String.valueOf(sha256))),
        instant(row, "created_at"),
        instant(row, "updated_at"));
  }

  private static Optional<Long> number(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? Optional.empty() : Optional.of(value);
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static MonthlyTable table(String name) {
    return Arrays.stream(MonthlyTable.values())
        .filter(table -> table.table().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no table of months is called " + name));
  }
}
