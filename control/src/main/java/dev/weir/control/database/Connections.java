package dev.weir.control.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import org.jdbi.v3.core.Jdbi;

/**
 * The connections to a database whose schema is up to date.
 *
 * @param schemaVersion the version of the schema
 * @param pool those that are kept
 * @param fileClosed tells if those to an embedded database are of no use any more
 * @param jdbi on those
 * @param jdbiForLongWork on one of its own for each handle
 */
record Connections(
    String schemaVersion,
    HikariDataSource pool,
    FileClosed fileClosed,
    Jdbi jdbi,
    Jdbi jdbiForLongWork) {
  private static final int MOST_CONNECTIONS = 8;
  private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(1);
  private static final Duration LONGEST_LIFE = Duration.ofMinutes(10);

  /**
   * The server gives up a statement before we give up the server. Of an instance that stands still
   * in the middle of a change it takes the lock away, so that others can go on.
   */
  private static final String SESSION =
      "set statement_timeout = %d; set idle_in_transaction_session_timeout = '10s'";

  /** Connects. */
  static Connections open(DatabaseAddress address, String schemaVersion) {
    FileClosed fileClosed = new FileClosed();
    HikariDataSource pool = new HikariDataSource(pooled(address, fileClosed));
    return new Connections(
        schemaVersion,
        pool,
        fileClosed,
        Jdbi.create(pool).installPlugin(new JavaTypes()),
        Jdbi.create(address.url(), address.forLongWork()).installPlugin(new JavaTypes()));
  }

  private static HikariConfig pooled(DatabaseAddress address, FileClosed fileClosed) {
    DatabaseTimeouts timeouts = address.timeouts();
    HikariConfig config = new HikariConfig();
    config.setPoolName("weir-database");
    config.setJdbcUrl(address.url());
    config.setDataSourceProperties(address.forCalls());
    config.setMaximumPoolSize(MOST_CONNECTIONS);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(timeouts.pool().toMillis());
    config.setValidationTimeout(timeouts.validation().toMillis());
    config.setIdleTimeout(IDLE_TIMEOUT.toMillis());
    if (address.vendor() == Vendor.POSTGRESQL) {
      config.setMaxLifetime(LONGEST_LIFE.toMillis());
      config.setConnectionInitSql(SESSION.formatted(timeouts.statement().toMillis()));
    } else {
      // The file is closed with the last connection to it.
      config.setMaxLifetime(0);
      config.setExceptionOverride(fileClosed);
    }
    return config;
  }

  /** Ends those that are kept. */
  void close() {
    pool.close();
  }
}
