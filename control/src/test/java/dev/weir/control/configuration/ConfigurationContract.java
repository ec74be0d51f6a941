package dev.weir.control.configuration;

import dev.weir.control.change.Changes;
import dev.weir.control.database.Database;
import dev.weir.control.testing.Databases;
import dev.weir.policy.PolicyDefinition;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A store in a database that is empty at the start of each test, beside a file. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ConfigurationContract {
  final Databases databases;
  Database database;
  ConfigurationStore store;
  PolicyDefinition file = FileText.FILE;

  @SuppressWarnings("NullAway.Init")
  ConfigurationContract(Databases databases) {
    this.databases = databases;
  }

  @BeforeAll
  void open(@TempDir Path folder) {
    database = databases.migrated(folder).open();
  }

  @BeforeEach
  void beginAnew() {
    Databases.clear(database);
    file = FileText.FILE;
    store = new ConfigurationStore(database, new Changes(database), () -> file);
  }

  @AfterAll
  void close() {
    database.close();
    databases.close();
  }

  void execute(String sql) {
    database.jdbi().useHandle(handle -> handle.execute(sql));
  }

  MergedPolicy merged() {
    return MergedPolicy.of(file, StoredConfiguration.read(database), new EntryReader());
  }

  List<String> acts() {
    return database
        .jdbi()
        .withHandle(
            handle ->
                handle
                    .createQuery(
                        "select actor || ' ' || act || ' ' || subject from admin_audit order by audit_id")
                    .mapTo(String.class)
                    .list());
  }
}
