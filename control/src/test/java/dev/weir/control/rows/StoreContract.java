package dev.weir.control.rows;

import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.control.change.ChangeFeed;
import dev.weir.control.change.Changes;
import dev.weir.control.database.Database;
import dev.weir.policy.config.DatabaseSettings;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A contract of stores, with an empty database for each test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class StoreContract {
  private static final Logger POOL = Logger.getLogger("com.zaxxer.hikari");

  @TempDir Path folder = Path.of("");

  private final EmptyDatabases databases;
  private DatabaseSettings settings = new DatabaseSettings("", "", "");
  private final List<Database> opened = new ArrayList<>();

  protected ManualTime time = TimeSource.manual(Instant.parse("2026-03-30T12:00:00Z"));

  protected StoreContract(EmptyDatabases databases) {
    this.databases = databases;
    POOL.setLevel(Level.WARNING);
  }

  @BeforeEach
  void openDatabase() {
    settings = databases.next();
    time = TimeSource.manual(Instant.parse("2026-03-30T12:00:00Z"));
    openAgain();
  }

  /** Opens the database of this test once more, as another instance does. */
  protected final Database openAgain() {
    Database database = Database.open(settings, folder);
    opened.add(database);
    return database;
  }

  protected final Database database() {
    return opened.get(0);
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

  @AfterEach
  void closeDatabases() {
    opened.forEach(Database::close);
    opened.clear();
  }

  @AfterAll
  void stopServer() {
    databases.close();
  }
}
