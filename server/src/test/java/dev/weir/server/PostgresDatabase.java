package dev.weir.server;

import dev.weir.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * An empty database on a real server, and those who listen there for changes.
 *
 * @param server where it is
 * @param name what it is called
 */
record PostgresDatabase(PostgresServer server, String name) {
  private static final String LISTENERS =
      " from pg_stat_activity where query = 'listen weir_changes' and datname = '%s'";

  /** Makes one. */
  static PostgresDatabase create(PostgresServer server, String name) {
    PostgresDatabase database = new PostgresDatabase(server, name);
    database.execute("create database " + name);
    return database;
  }

  /** Makes one on the server that all tests of this JVM share. */
  static PostgresDatabase shared() {
    PostgresServer server = PostgresServer.shared(PostgresServer.Version.V18);
    String url = server.createDatabase();
    return new PostgresDatabase(server, url.substring(url.lastIndexOf('/') + 1));
  }

  /** What a configuration file says to use it. */
  String toml() {
    return """
        [database]
        url = "%s"
        user = "%s"
        password = "%s"
        """
        .formatted(server.jdbcUrl(name), server.user(), server.password());
  }

  /** Whether anybody may connect from now on; those who are connected stay so. */
  void allowConnections(boolean allowed) {
    execute("alter database %s allow_connections %s".formatted(name, allowed));
  }

  /** The processes of the server that serve those who listen. */
  List<Long> listeners() {
    return numbers("select pid" + LISTENERS.formatted(name));
  }

  /** Cuts the connections of those who listen. */
  void cutListeners() {
    numbers("select count(pg_terminate_backend(pid))" + LISTENERS.formatted(name));
  }

  /** Does that from another database, which anybody may always connect to. */
  private void execute(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private List<Long> numbers(String query) {
    List<Long> numbers = new ArrayList<>();
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        numbers.add(rows.getLong(1));
      }
      return numbers;
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
  }
}
