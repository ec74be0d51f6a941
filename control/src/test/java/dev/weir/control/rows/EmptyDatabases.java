package dev.weir.control.rows;

import dev.weir.policy.config.DatabaseSettings;
import dev.weir.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** Databases without anything in them. */
public interface EmptyDatabases extends AutoCloseable {

  /** Another one each time; on H2, in another folder. */
  DatabaseSettings next();

  @Override
  default void close() {}

  /** In files. */
  static EmptyDatabases embedded() {
    return () -> new DatabaseSettings("", "", "");
  }

  /** On a server of its own. */
  static EmptyDatabases on(PostgresServer.Version version) {
    PostgresServer server = PostgresServer.start(version);
    AtomicInteger made = new AtomicInteger();
    return new EmptyDatabases() {
      @Override
      public DatabaseSettings next() {
        String name = "weir_" + made.incrementAndGet();
        try (Connection connection =
                DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
            Statement statement = connection.createStatement()) {
          statement.execute("create database " + name);
        } catch (SQLException e) {
          throw new IllegalStateException(e);
        }
        return new DatabaseSettings(server.jdbcUrl(name), server.user(), server.password());
      }

      @Override
      public void close() {
        server.close();
      }
    };
  }
}
