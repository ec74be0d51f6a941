package dev.weir.control.testing;

import dev.weir.control.database.Database;
import dev.weir.control.database.DatabaseTimeouts;
import dev.weir.policy.config.DatabaseSettings;
import dev.weir.testkit.postgres.PostgresServer;
import dev.weir.testkit.process.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Creates databases for tests: files of H2, or databases of a PostgreSQL server.
 *
 * <p>The schema is created once per server, and once per JVM for H2; databases that have it already
 * are copies. A server is started when it is first used.
 */
public final class Databases implements AutoCloseable {
  private static final DatabaseSettings EMBEDDED = new DatabaseSettings("", "", "");
  private static final String H2_FILE = "weir.mv.db";

  /** All tables with rows of their own; those that refer to others come first. */
  private static final List<String> TABLES =
      List.of(
          "admin_audit",
          "api_keys",
          "archive_jobs",
          "audit_journals",
          "blocks",
          "endpoints",
          "exemptions",
          "rate_limit_audit_logs",
          "rate_limit_metrics",
          "rate_limit_rules",
          "tiers",
          "user_quotas");

  /** A strong reference, so that the level stays. */
  private static final Logger POOL = Logger.getLogger("com.zaxxer.hikari");

  static {
    POOL.setLevel(Level.WARNING);
  }

  private enum Kind {
    H2,
    SHARED,
    PRIVATE
  }

  private final Kind kind;
  private final PostgresServer.@Nullable Version version;
  private final AtomicInteger folders = new AtomicInteger();
  private @Nullable PostgresServer privateServer;
  private @Nullable String privateTemplate;

  private Databases(Kind kind, PostgresServer.@Nullable Version version) {
    this.kind = kind;
    this.version = version;
  }

  /** Returns files of H2. */
  public static Databases h2() {
    return new Databases(Kind.H2, null);
  }

  /** Returns databases of the server that all tests of this JVM share. */
  public static Databases postgres(PostgresServer.Version version) {
    return new Databases(Kind.SHARED, version);
  }

  /** Returns databases of a server of its own, which a test may kill and pause. */
  public static Databases privatePostgres(PostgresServer.Version version) {
    return new Databases(Kind.PRIVATE, version);
  }

  /** Returns the server; there is none with H2. */
  public PostgresServer server() {
    PostgresServer.Version ofServer = version;
    if (ofServer == null) {
      throw new IllegalStateException("an embedded database has no server");
    }
    if (kind == Kind.SHARED) {
      return PostgresServer.shared(ofServer);
    }
    PostgresServer server = privateServer;
    if (server == null) {
      server = PostgresServer.start(ofServer);
      privateServer = server;
    }
    return server;
  }

  /** Creates a database without any table, with its data folder inside that folder. */
  public Source empty(Path folder) {
    Path data = dataFolder(folder);
    return kind == Kind.H2
        ? new Source(EMBEDDED, data)
        : new Source(settings(server(), server().createDatabase()), data);
  }

  /** Creates a database whose schema is up to date, with its data folder inside that folder. */
  public Source migrated(Path folder) {
    Path data = dataFolder(folder);
    if (kind == Kind.H2) {
      copyEmbedded(data);
      return new Source(EMBEDDED, data);
    }
    PostgresServer server = server();
    return new Source(settings(server, server.createDatabaseFrom(template(server))), data);
  }

  private Path dataFolder(Path folder) {
    return folder.resolve("database-" + folders.incrementAndGet());
  }

  /** Makes a database as it was when it was created, but for partitions and connections. */
  public static void clear(Database database) {
    database
        .jdbi()
        .useTransaction(
            handle -> {
              TABLES.forEach(table -> handle.execute("delete from " + table));
              handle.execute("update config_version set version = 0");
              handle.execute("alter table admin_audit alter column audit_id restart with 1");
            });
  }

  private String template(PostgresServer server) {
    if (kind == Kind.SHARED) {
      return SharedTemplates.of(server);
    }
    String template = privateTemplate;
    if (template == null) {
      template = createTemplate(server);
      privateTemplate = template;
    }
    return template;
  }

  private static String createTemplate(PostgresServer server) {
    String url = server.createDatabase();
    try (TemporaryFolder folder = TemporaryFolder.create("template")) {
      Database.open(settings(server, url), folder.path()).close();
    }
    return url.substring(url.lastIndexOf('/') + 1);
  }

  /** Copies a file of H2 whose schema is up to date into that folder. */
  public static void copyEmbedded(Path folder) {
    try {
      Files.createDirectories(folder);
      Files.copy(EmbeddedTemplate.FILE, folder.resolve(H2_FILE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static DatabaseSettings settings(PostgresServer server, String url) {
    return new DatabaseSettings(url, server.user(), server.password());
  }

  /** A database that can be opened several times, as several instances do. */
  public record Source(DatabaseSettings settings, Path dataFolder) {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A database of H2 in that folder, without any table unless it has a file there. */
    public static Source embeddedIn(Path folder) {
      return new Source(EMBEDDED, folder);
    }

    /** Opens it, and is patient with connections: other tests keep the machine busy. */
    public Database open() {
      DatabaseTimeouts usual = DatabaseTimeouts.defaults();
      return open(
          new DatabaseTimeouts(
              PATIENCE,
              usual.answer(),
              usual.statement(),
              PATIENCE,
              usual.validation(),
              usual.retry()));
    }

    /** Opens it with other timeouts. */
    public Database open(DatabaseTimeouts timeouts) {
      return Database.open(settings, dataFolder, timeouts);
    }

    /** Opens it in the background, with other timeouts. */
    public Database openInBackground(DatabaseTimeouts timeouts) {
      return Database.openInBackground(settings, dataFolder, timeouts);
    }

    /** The name of the database on its server. */
    public String name() {
      return settings.url().substring(settings.url().lastIndexOf('/') + 1);
    }
  }

  /** Starts a private server again if a test has left it dead. */
  public void restartIfDead() {
    PostgresServer server = privateServer;
    if (server != null && !server.isAlive()) {
      server.restart();
    }
  }

  /** Ends the server if it is a private one. */
  @Override
  public void close() {
    PostgresServer server = privateServer;
    if (server != null) {
      server.close();
    }
  }

  /** The databases with a schema on shared servers. */
  private static final class SharedTemplates {
    private static final Map<PostgresServer, String> NAMES = new HashMap<>();

    static synchronized String of(PostgresServer server) {
      return NAMES.computeIfAbsent(server, Databases::createTemplate);
    }
  }

  /** The file of an embedded database with a schema. */
  private static final class EmbeddedTemplate {
    static final Path FILE = create();

    private static Path create() {
      Path folder = TemporaryFolder.create("h2-template").path();
      Database.open(EMBEDDED, folder).close();
      return folder.resolve(H2_FILE);
    }
  }
}
