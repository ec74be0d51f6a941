package dev.weir.control.rows;

import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.control.change.ChangeFeed;
import dev.weir.control.change.Changes;
import dev.weir.control.database.Database;
import dev.weir.control.testing.Databases;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A contract of stores, with a database that is empty at the start of each test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class StoreContract {
  private final Databases databases;
  private Database database;

  protected ManualTime time = TimeSource.manual(Instant.parse("2026-03-30T12:00:00Z"));

  @SuppressWarnings("NullAway.Init")
  protected StoreContract(Databases databases) {
    this.databases = databases;
  }

  @BeforeAll
  void openDatabase(@TempDir Path folder) {
    database = databases.migrated(folder).open();
  }

  @BeforeEach
  void beginAnew() {
    Databases.clear(database);
    time = TimeSource.manual(Instant.parse("2026-03-30T12:00:00Z"));
  }

  protected final Database database() {
    return database;
  }

  protected final Changes changes() {
    return new Changes(database(), time);
  }

  /** What a feed tells of these subjects. */
  protected static ChangeFeed.Seen seen(String... subjects) {
    return new ChangeFeed.Seen(1, List.of(subjects));
  }

  /** All rows of a query, as text. */
  protected final List<String> query(String sql) {
    return database()
        .jdbi()
        .withHandle(
            handle ->
                handle.createQuery(sql).mapToMap().list().stream().map(Object::toString).toList());
  }

  protected final void execute(String sql) {
    database().jdbi().useHandle(handle -> handle.execute(sql));
  }

  @AfterAll
  void closeDatabase() {
    database.close();
    databases.close();
  }
}
