package dev.weir.testkit.postgres;

import dev.weir.testkit.process.AtExit;
import dev.weir.testkit.process.Await;
import dev.weir.testkit.process.Ports;
import dev.weir.testkit.process.TemporaryFolder;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real PostgreSQL server on a free port of the loopback address, for a test to use and to break.
 *
 * <p>It takes connections once {@code start} returns, with a password, and forgets nothing when it
 * is killed; only a power cut could cost it something, since it does not wait for the disk. {@link
 * #close} kills it, paused or not, and removes its folder; the end of the JVM does so too. Run by
 * root it becomes nobody, since PostgreSQL refuses to be root.
 *
 * <p>Safe for use by several threads; those that stop or start the server wait for each other.
 */
public final class PostgresServer implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
  private static final int START_ATTEMPTS = 3;
  private static final String FIRST_DATABASE = "postgres";

  /**
   * A shared server is never killed, so it may lose what was committed last. Many small databases
   * would keep the launcher of autovacuum busy.
   */
  private static final List<String> SHARED_SETTINGS =
      List.of("synchronous_commit = off", "full_page_writes = off", "autovacuum = off");

  private static final Map<Version, PostgresServer> SHARED = new EnumMap<>(Version.class);

  private final AtomicInteger createdDatabases = new AtomicInteger();
  private final Version version;
  private final TemporaryFolder folder;
  private final PostgresData data;
  private final int port;
  private final Runnable end = this::shutDown;
  private volatile PostgresProcess process;

  /** The versions that there are programs of: the oldest and the newest that Weir works with. */
  public enum Version {
    /** PostgreSQL 15. */
    V15(15),
    /** PostgreSQL 18. */
    V18(18);

    private final int major;

    Version(int major) {
      this.major = major;
    }

    /** The number before the dot. */
    public int major() {
      return major;
    }
  }

  private PostgresServer(Version version, TemporaryFolder folder, List<String> settings) {
    this.version = version;
    this.folder = folder;
    this.port = Ports.free();
    this.data = PostgresData.create(PostgresBinary.folder(version), folder.path(), port, settings);
    this.process = PostgresProcess.start(data);
    AtExit.add(end);
  }

  /** Starts a server without any data. */
  public static PostgresServer start(Version version) {
    return start(version, List.of());
  }

  /**
   * Starts a server without any data.
   *
   * @param settings further lines of its {@code postgresql.conf}, such as {@code fsync = on}
   * @throws IllegalStateException if there is no such version, or if it does not come up; the
   *     message then ends with what it wrote last
   */
  public static PostgresServer start(Version version, List<String> settings) {
    for (int attempt = 1; ; attempt++) {
      TemporaryFolder folder = TemporaryFolder.create("postgres");
      PostgresServer server;
      try {
        server = new PostgresServer(version, folder, settings);
      } catch (RuntimeException e) {
        folder.close();
        throw e;
      }
      try {
        server.awaitReady();
        return server;
      } catch (RuntimeException e) {
        // Another program may have taken the port since it was found free.
        boolean taken = Ports.wasTaken(server.process.lastWords());
        server.close();
        if (!taken || attempt == START_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /**
   * Returns the server of that version which all tests of this JVM share, starting it on first use.
   *
   * <p>It runs until the JVM ends. Give each test class {@linkplain #createDatabase databases of
   * its own}, and start a private server for a test that stops, pauses or fills it. It is tuned for
   * speed: a kill could cost it transactions that were committed.
   *
   * @throws IllegalStateException if there is no such version, or if it does not come up
   */
  public static PostgresServer shared(Version version) {
    synchronized (SHARED) {
      return SHARED.computeIfAbsent(version, missing -> start(missing, SHARED_SETTINGS));
    }
  }

  /**
   * Creates an empty database with a name that no other has, and returns its JDBC URL.
   *
   * <p>Needs the PostgreSQL driver on the class path.
   */
  public String createDatabase() {
    return createDatabaseFrom("template1");
  }

  /**
   * Creates a copy of a database with a name that no other has, and returns its JDBC URL.
   *
   * @param template the database to copy, which nobody is connected to
   */
  public String createDatabaseFrom(String template) {
    String name = "weir_" + createdDatabases.incrementAndGet();
    try (Connection connection = DriverManager.getConnection(jdbcUrl(), user(), password());
        Statement statement = connection.createStatement()) {
      statement.execute("create database %s template %s".formatted(name, template));
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create database " + name + " on " + this, e);
    }
    return jdbcUrl(name);
  }

  /** The version that was asked for. */
  public Version version() {
    return version;
  }

  /** The loopback address, as digits. */
  public String host() {
    return Ports.HOST;
  }

  /** The port, the same over the whole life. */
  public int port() {
    return port;
  }

  /** The only user, who may do everything. */
  public String user() {
    return PostgresData.USER;
  }

  /** The user's password. */
  public String password() {
    return PostgresData.PASSWORD;
  }

  /** The database that is there from the start; user and password are not in it. */
  public String jdbcUrl() {
    return jdbcUrl(FIRST_DATABASE);
  }

  /** Such as {@code jdbc:postgresql://127.0.0.1:12345/weir}; the database need not be there yet. */
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://%s:%d/%s".formatted(host(), port, database);
  }

  /** The postmaster that runs now, or that ran last. */
  public long pid() {
    return process.pid();
  }

  /** Whether the postmaster runs; a paused one does. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Freezes all processes (SIGSTOP): the kernel still accepts connections, nobody answers. */
  public synchronized void pause() {
    process.pause();
  }

  /** Lets paused processes go on (SIGCONT). */
  public synchronized void resume() {
    process.resume();
  }

  /** Kills the postmaster and its children (SIGKILL) and waits until they are gone. */
  public synchronized void kill() {
    process.kill();
  }

  /** Kills what runs, and starts on the same port with the same data. */
  public synchronized void restart() {
    kill();
    process = PostgresProcess.start(data);
    awaitReady();
  }

  private void awaitReady() {
    Await.until(
        "PostgreSQL %d is ready on port %d".formatted(version.major(), port),
        START_TIMEOUT,
        () -> {
          if (!process.isAlive()) {
            throw new Await.FinalFailure("postgres did not start:\n" + process.lastWords());
          }
          return data.isReady(process.pid());
        });
  }

  /**
   * Kills all processes and removes what they leave.
   *
   * @throws IllegalStateException if the server is shared
   */
  @Override
  public synchronized void close() {
    synchronized (SHARED) {
      if (SHARED.containsValue(this)) {
        throw new IllegalStateException("a shared server runs until the JVM ends");
      }
    }
    shutDown();
  }

  private synchronized void shutDown() {
    process.kill();
    data.removeSharedMemory();
    folder.close();
    AtExit.remove(end);
  }

  @Override
  public String toString() {
    return "PostgreSQL %d on port %d, pid %d".formatted(version.major(), port, pid());
  }
}
