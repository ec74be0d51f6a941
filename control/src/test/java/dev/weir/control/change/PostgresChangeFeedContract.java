package dev.weir.control.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.control.database.Database;
import dev.weir.control.testing.Databases;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What holds where the database sends word, which can be cut off. */
abstract class PostgresChangeFeedContract extends ChangeFeedContract {
  PostgresChangeFeedContract(Databases databases) {
    super(databases);
  }

  @Test
  void aChangeOfAnotherInstanceIsNotified() {
    Databases.Source source = databases.migrated(folder);
    try (Database one = source.open();
        Database other = source.open();
        Told told = new Told(other, NOTIFIED)) {
      told.await(0);
      Changes changes = new Changes(one);
      for (int i = 1; i <= 5; i++) {
        told.await(block(changes, "user:u" + i));
      }
    }
  }

  @Test
  @DisplayName("T67: a connection that is cut off is back by itself")
  void aConnectionThatIsCutOffIsBackByItself() {
    Databases.Source source = databases.migrated(folder);
    try (Database one = source.open();
        Database other = source.open();
        Told told = new Told(other, NOTIFIED)) {
      told.await(0);
      Changes changes = new Changes(one);
      assertThat(endListening(source)).isEqualTo(1);
      told.await(block(changes, "user:eve"));
      awaitListening(source);
      told.await(block(changes, "user:mallory"));
    }
  }

  @Test
  @DisplayName("T67: where no notification can come, changes are seen by polling")
  void whereNoWordCanComeAChangeIsSeenByAsking() {
    Databases.Source source = databases.migrated(folder);
    try (Database one = source.open();
        Database other = source.open();
        Told told = new Told(other, POLLING)) {
      told.await(0);
      Changes changes = new Changes(one);
      told.await(block(changes, "user:first"));
      // Connections that are open stay; the feed gets no new one to listen on.
      execute("alter database %s allow_connections false".formatted(source.name()));
      assertThat(endListening(source)).isEqualTo(1);
      for (int i = 2; i <= 4; i++) {
        told.await(block(changes, "user:u" + i));
        assertThat(listening(source)).isZero();
      }
      execute("alter database %s allow_connections true".formatted(source.name()));
      awaitListening(source);
    }
  }

  @Test
  void aServerThatIsKilledAndComesBackIsFollowedAgain() {
    Databases.Source source = databases.migrated(folder);
    try (Database one = source.open();
        Database other = source.open();
        Told told = new Told(other, NOTIFIED)) {
      Changes changes = new Changes(one);
      told.await(block(changes, "user:eve"));
      databases.server().kill();
      databases.server().restart();
      Awaitility.await()
          .atMost(LONG)
          .ignoreExceptions()
          .until(() -> block(changes, "user:mallory") == 2);
      told.await(2);
      awaitListening(source);
      told.await(block(changes, "user:trent"));
    } finally {
      databases.restartIfDead();
    }
  }

  private void awaitListening(Databases.Source source) {
    Awaitility.await()
        .atMost(LONG)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> listening(source) == 1);
  }

  private static final String LISTENERS =
      " from pg_stat_activity where datname = '%s' and query = 'listen weir_changes'";

  /** How many listen. */
  private long listening(Databases.Source source) {
    return number("select count(*)" + LISTENERS.formatted(source.name()));
  }

  /** Ends those who listen; returns how many did. */
  private long endListening(Databases.Source source) {
    return number("select count(pg_terminate_backend(pid))" + LISTENERS.formatted(source.name()));
  }

  private long number(String query) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      assertThat(row.next()).isTrue();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void execute(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(
        databases.server().jdbcUrl(), databases.server().user(), databases.server().password());
  }
}
