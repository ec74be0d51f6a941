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
  private static final Duration A_SECOND = Duration.ofSeconds(1);

  PostgresChangeFeedContract(Databases databases) {
    super(databases);
  }

  @Test
  void wordIsThereWithinASecond() {
    Databases.Source source = databases.empty(folder);
    try (Database one = source.open();
        Database other = source.open();
        Told told = new Told(other)) {
      told.await(0, LATEST);
      Changes changes = new Changes(one);
      for (int i = 1; i <= 20; i++) {
        long version = block(changes, "user:u" + i);
        assertThat(told.await(version, LATEST)).isLessThan(A_SECOND);
      }
    }
  }

  @Test
  @DisplayName("T67: a connection that is cut off is back by itself")
  void aConnectionThatIsCutOffIsBackByItself() {
    Databases.Source source = databases.empty(folder);
    try (Database one = source.open();
        Database other = source.open();
        Told told = new Told(other)) {
      told.await(0, LATEST);
      Changes changes = new Changes(one);
      assertThat(endListening()).isEqualTo(1);
      told.await(block(changes, "user:eve"), LATEST);
      Awaitility.await().atMost(LATEST).until(() -> listening() == 1);
      long version = block(changes, "user:mallory");
      assertThat(told.await(version, LATEST)).isLessThan(A_SECOND);
    }
  }

  @Test
  @DisplayName("T67: where no word can come, a change is seen within 10 s")
  void whereNoWordCanComeAChangeIsSeenByAsking() {
    Databases.Source source = databases.empty(folder);
    try (Database one = source.open();
        Database other = source.open();
        Told told = new Told(other)) {
      told.await(0, LATEST);
      Changes changes = new Changes(one);
      block(changes, "user:first");
      told.await(1, LATEST);
      // Those that are kept go on; nobody gets a new one to listen on.
      execute("alter database %s allow_connections false".formatted(name(source)));
      assertThat(endListening()).isEqualTo(1);
      for (int i = 2; i <= 4; i++) {
        long version = block(changes, "user:u" + i);
        assertThat(told.await(version, LATEST)).isLessThan(LATEST);
        assertThat(listening()).isZero();
      }
      execute("alter database %s allow_connections true".formatted(name(source)));
      Awaitility.await().atMost(LATEST).until(() -> listening() == 1);
    }
  }

  @Test
  void aServerThatIsKilledAndComesBackIsFollowedAgain() {
    Databases.Source source = databases.empty(folder);
    try (Database one = source.open();
        Database other = source.open();
        Told told = new Told(other)) {
      Changes changes = new Changes(one);
      told.await(block(changes, "user:eve"), LATEST);
      databases.server().kill();
      databases.server().restart();
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .ignoreExceptions()
          .until(() -> block(changes, "user:mallory") == 2);
      told.await(2, LATEST);
      Awaitility.await().atMost(LATEST).until(() -> listening() == 1);
      assertThat(told.await(block(changes, "user:trent"), LATEST)).isLessThan(A_SECOND);
    } finally {
      databases.restartIfDead();
    }
  }

  private static String name(Databases.Source source) {
    String url = source.settings().url();
    return url.substring(url.lastIndexOf('/') + 1);
  }

  private static final String LISTENERS =
      " from pg_stat_activity where query = 'listen weir_changes'";

  /** How many listen. */
  private long listening() {
    return number("select count(*)" + LISTENERS);
  }

  /** Ends those who listen; returns how many did. */
  private long endListening() {
    return number("select count(pg_terminate_backend(pid))" + LISTENERS);
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
