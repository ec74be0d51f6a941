package dev.weir.control.testing;

import dev.weir.control.database.Database;
import dev.weir.policy.config.DatabaseSettings;
import dev.weir.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Where a contract has its databases from: each test an empty one. */
public final class Databases implements AutoCloseable {
  /** Held, so that the level stays. */
  private static final Logger POOL = Logger.getLogger("com.zaxxer.hikari");

  static {
    POOL.setLevel(Level.WARNING);
  }

  private final AtomicInteger made = new AtomicInteger();
  private final @Nullable PostgresServer server;

  private Databases(@Nullable PostgresServer server) {
    this.server = server;
  }

  /** Files of H2. */
  public static Databases h2() {
    return new Databases(null);
  }

  /** Databases of a real server. */
  public static Databases postgres(PostgresServer.Version version) {
    return new Databases(PostgresServer.start(version));
  }

  /** The server, which there is only with PostgreSQL. */
  public PostgresServer server() {
    if (server == null) {
      throw new IllegalStateException("there is no server of an embedded database");
    }
    return server;
  }

  /** An empty database, in that folder if it is a file. */
  public Source empty(Path folder) {
    String name = "weir_" + made.incrementAndGet();
    if (server == null) {
      return new Source(new DatabaseSettings("", "", ""), folder.resolve(name));
    }
    try (Connection connection =
            DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    DatabaseSettings settings =
        new DatabaseSettings(server.jdbcUrl(name), server.user(), server.password());
    return new Source(settings, folder.resolve(name));
  }

  /** A database that can be opened several times, as several instances do. */
  public record Source(DatabaseSettings settings, Path dataFolder) {
    public Database open() {
      return Database.open(settings, dataFolder);
    }

    public Database openInBackground() {
      return Database.openInBackground(settings, dataFolder);
    }
  }

  /** Starts the server again if a test has left it dead. */
  public void restartIfDead() {
    if (server != null && !server.isAlive()) {
      server.restart();
    }
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
