package dev.weir.control.database;

import dev.weir.policy.config.DatabaseSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;

/** Where a database is, and how connections to it are made. Immutable; tells no secrets. */
final class DatabaseAddress {
  private static final String POSTGRESQL = "jdbc:postgresql:";
  private static final String H2 = "jdbc:h2:";
  private static final String H2_FILE = "weir";

  /**
   * PostgreSQL's way to write and to compare; who waits for a lock gives up. What is committed is
   * written before the caller knows of it, and the end of the JVM is our own business.
   */
  private static final String H2_OPTIONS =
      ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH;LOCK_TIMEOUT=3000"
          + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";

  /** How long it may be silent that has a table to rewrite. */
  private static final Duration LONG_WORK = Duration.ofMinutes(10);

  private final Vendor vendor;
  private final String url;
  private final String user;
  private final String password;
  private final DatabaseTimeouts timeouts;

  private DatabaseAddress(
      Vendor vendor, String url, String user, String password, DatabaseTimeouts timeouts) {
    this.vendor = vendor;
    this.url = url;
    this.user = user;
    this.password = password;
    this.timeouts = timeouts;
  }

  /**
   * As the settings say.
   *
   * @param dataFolder for the file of an embedded database; made if it is not there
   */
  static DatabaseAddress of(DatabaseSettings settings, Path dataFolder, DatabaseTimeouts timeouts) {
    String url = settings.url();
    if (url.startsWith(POSTGRESQL)) {
      return new DatabaseAddress(
          Vendor.POSTGRESQL, url, settings.user(), settings.password(), timeouts);
    }
    if (!url.isEmpty() && !url.startsWith(H2)) {
      throw new DatabaseException(
          "database.url must start with jdbc:postgresql: or be empty for the embedded database");
    }
    String place = url.isEmpty() ? H2 + "file:" + embedded(dataFolder) : url;
    String user = settings.user().isEmpty() ? "sa" : settings.user();
    return new DatabaseAddress(Vendor.H2, place + H2_OPTIONS, user, settings.password(), timeouts);
  }

  private static Path embedded(Path dataFolder) {
    Path folder = dataFolder.toAbsolutePath().normalize();
    if (folder.toString().indexOf(';') >= 0) {
      throw new DatabaseException("the data folder must have no ; in its name, got " + folder);
    }
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new DatabaseException("cannot make the data folder %s: %s".formatted(folder, e), e);
    }
    return folder.resolve(H2_FILE);
  }

  Vendor vendor() {
    return vendor;
  }

  DatabaseTimeouts timeouts() {
    return timeouts;
  }

  String url() {
    return url;
  }

  String user() {
    return user;
  }

  /** A connection of its own. */
  Connection connect() {
    try {
      return DriverManager.getConnection(url, forCalls());
    } catch (SQLException e) {
      throw DatabaseException.connecting(this, e);
    }
  }

  /** For what takes milliseconds: a server that is silent fails within seconds. */
  Properties forCalls() {
    return properties(timeouts.answer());
  }

  /** For what may take minutes. */
  Properties forLongWork() {
    return properties(LONG_WORK);
  }

  /** What the URL says outranks all but user and password. */
  private Properties properties(Duration silence) {
    Properties properties = new Properties();
    if (!user.isEmpty()) {
      properties.setProperty("user", user);
      properties.setProperty("password", password);
    }
    if (vendor == Vendor.POSTGRESQL) {
      properties.setProperty("ApplicationName", "weir");
      properties.setProperty("connectTimeout", seconds(timeouts.login()));
      properties.setProperty("loginTimeout", seconds(timeouts.login()));
      properties.setProperty("socketTimeout", seconds(silence));
      properties.setProperty("cancelSignalTimeout", seconds(timeouts.login()));
      properties.setProperty("tcpKeepAlive", "true");
      properties.setProperty("reWriteBatchedInserts", "true");
      // Texts become what their column is: jsonb, inet and cidr need no cast, as on H2.
      properties.setProperty("stringtype", "unspecified");
    }
    return properties;
  }

  /** Rounded up: 0 would be no timeout at all. */
  private static String seconds(Duration duration) {
    return Long.toString(duration.plusMillis(999).toSeconds());
  }

  /** The URL without its options, which may hold a password. */
  @Override
  public String toString() {
    int options = url.indexOf(vendor == Vendor.H2 ? ';' : '?');
    String place = options < 0 ? url : url.substring(0, options);
    int slashes = place.indexOf("//");
    int at = place.lastIndexOf('@');
    return slashes >= 0 && at > slashes
        ? place.substring(0, slashes + 2) + place.substring(at + 1)
        : place;
  }
}
