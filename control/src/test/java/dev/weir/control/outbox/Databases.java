package dev.weir.control.outbox;

import dev.weir.control.database.Database;
import dev.weir.policy.config.DatabaseSettings;
import dev.weir.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Databases for tests, each without anything in it. */
public final class Databases implements AutoCloseable {
  private static final Logger POOL = Logger.getLogger("com.zaxxer.hikari");
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final @Nullable PostgresServer server;

  private Databases(@Nullable PostgresServer server) {
    POOL.setLevel(Level.OFF);
    this.server = server;
  }

  /** Files. */
  public static Databases h2() {
    return new Databases(null);
  }

  /** On a server of that version. */
  public static Databases postgres(PostgresServer.Version version) {
    return postgres(version, List.of());
  }

  /** On a server of that version with further lines of its {@code postgresql.conf}. */
  public static Databases postgres(PostgresServer.Version version, List<String> lines) {
    return new Databases(PostgresServer.start(version, lines));
  }

  /** The server; only on PostgreSQL. */
  public PostgresServer server() {
    return Objects.requireNonNull(server);
  }

  /** Settings of a database that is not used yet; a file is another one in each folder. */
  public DatabaseSettings settings() {
    if (server == null) {
      return new DatabaseSettings("", "", "");
    }
    String name = "weir_" + NUMBERS.incrementAndGet();
    try (Connection connection =
            DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return new DatabaseSettings(server.jdbcUrl(name), server.user(), server.password());
  }

  /** A new one; the folder is for its file. */
  public Database open(Path folder) {
    return Database.open(settings(), folder);
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
