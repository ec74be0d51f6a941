package dev.weir.server;

import dev.weir.control.change.AdminAudit;
import dev.weir.control.database.Database;
import dev.weir.policy.config.DatabaseSettings;
import dev.weir.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a database has of decisions and acts in the end, read past the service. */
final class StoredAudit implements AutoCloseable {
  private final Database database;

  private StoredAudit(Database database) {
    this.database = database;
  }

  /** That of PostgreSQL. */
  static StoredAudit in(PostgresServer server, Path anyFolder) {
    return new StoredAudit(
        Database.open(
            new DatabaseSettings(server.jdbcUrl(), server.user(), server.password()), anyFolder));
  }

  /** That of a database of its own. */
  static StoredAudit in(PostgresDatabase database, Path anyFolder) {
    PostgresServer server = database.server();
    return new StoredAudit(
        Database.open(
            new DatabaseSettings(server.jdbcUrl(database.name()), server.user(), server.password()),
            anyFolder));
  }

  /** That of an embedded database, which nobody else may use now. */
  static StoredAudit in(Path dataFolder) {
    return new StoredAudit(Database.open(new DatabaseSettings("", "", ""), dataFolder));
  }

  /** The part of a configuration that says where a PostgreSQL is. */
  static String config(PostgresServer server) {
    return "[database]\nurl = \"%s\"\nuser = \"%s\"\npassword = \"%s\"\n\n"
        .formatted(server.jdbcUrl(), server.user(), server.password());
  }

  /** The path of each decision, in no order. */
  List<String> paths() {
    return database.withLongWork(
        "read",
        handle ->
            handle
                .createQuery("select path from rate_limit_audit_logs")
                .mapTo(String.class)
                .list());
  }

  /** The first act that does not fit into its chain; null if all do. */
  @Nullable Long firstBrokenAct() {
    // Zero is no id; Jdbi wants a value.
    long first =
        database.withLongWork(
            "read",
            handle -> {
              Long broken = AdminAudit.firstBroken(handle);
              return broken == null ? 0 : broken;
            });
    return first == 0 ? null : first;
  }

  @Override
  public void close() {
    database.close();
  }
}
