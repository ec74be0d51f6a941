package dev.weir.control.configuration;

import dev.weir.control.change.ChangeFeed;
import dev.weir.control.configuration.ConfigurationState.Origin;
import dev.weir.control.database.Database;
import dev.weir.control.database.DatabaseException;
import dev.weir.control.database.Vendor;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.config.ConfigException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an instance up to date with the file and the database. A configuration that is right takes
 * effect as a whole; one that is wrong changes nothing, and is remembered and logged. When the
 * database cannot be reached, what was read last holds: at the start that is a snapshot in the data
 * folder. Thread-safe.
 */
public final class ConfigurationWatch implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(ConfigurationWatch.class.getName());

  /** How long a start waits for the database before it goes on without. */
  public static final Duration PATIENCE = Duration.ofMillis(1_500);

  /** An embedded one comes as surely as this process runs; making it takes a while. */
  private static final Duration EMBEDDED_PATIENCE = Duration.ofSeconds(15);

  /** Rows that are changed by hand, without a new version, are seen after that. */
  private static final Duration LOOK_AGAIN = Duration.ofMinutes(1);

  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration END = Duration.ofSeconds(6);

  private final Database database;
  private final Snapshot snapshot;
  private final Consumer<MergedPolicy> user;
  private final Duration retry;
  private final EntryReader reader = new EntryReader();
  private final Semaphore wakes = new Semaphore(0);
  private final Thread thread = new Thread(this::run, "weir-configuration");
  private final Object lock = new Object();
  private PolicyDefinition file;
  private @Nullable StoredConfiguration current;

  /** Changed by who has the lock; read by those who must not wait for a policy that is compiled. */
  private volatile ConfigurationState state = new ConfigurationState(Origin.FILE, 0, null, null);

  /** The version of the last change that matters here, as the feed told it. */
  private volatile long toldVersion;

  /** Why there was no snapshot to start with; empty: there was, or nobody needed it. */
  private String snapshotProblem = "";

  private volatile Duration patience = PATIENCE;
  private volatile boolean isClosed;

  /**
   * A watch that has not started.
   *
   * @param file what the file says
   * @param dataFolder where the snapshot is
   * @param user is given every configuration that is right; if it throws, the one before stays
   */
  public ConfigurationWatch(
      Database database, PolicyDefinition file, Path dataFolder, Consumer<MergedPolicy> user) {
    this(database, file, dataFolder, user, RETRY);
  }

  /** A watch that tries again after that time when the database could not be read. */
  ConfigurationWatch(
      Database database,
      PolicyDefinition file,
      Path dataFolder,
      Consumer<MergedPolicy> user,
      Duration retry) {
    this.retry = retry;
    this.database = database;
    this.file = file;
    this.snapshot = new Snapshot(dataFolder);
    this.user = user;
    thread.setDaemon(true);
  }

  /**
   * Starts. When this returns, the user has been given a configuration: that of the database if it
   * was there in time, else that of the snapshot, else that of the file.
   */
  public void start() {
    start(database.vendor() == Vendor.H2 ? EMBEDDED_PATIENCE : PATIENCE);
  }

  /** As {@link #start()}, waiting so long for the database before it goes on without. */
  public void start(Duration patience) {
    this.patience = patience;
    thread.start();
    long endNanos = System.nanoTime() + patience.toNanos();
    synchronized (lock) {
      long leftNanos = endNanos - System.nanoTime();
      while (current == null && leftNanos > 0) {
        try {
          lock.wait(leftNanos / 1_000_000 + 1);
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          break;
        }
        leftNanos = endNanos - System.nanoTime();
      }
      if (current == null) {
        startWithoutDatabase();
      }
    }
  }

  /** Looks at the database whenever the feed tells of something that matters here. */
  public void follow(ChangeFeed feed) {
    feed.listen(
        seen -> {
          if (seen.hasAny("rule", "tier", "endpoint", "block", "exemption", "quota")) {
            toldVersion = seen.version();
            wake();
          }
        });
  }

  /** Has it look soon. */
  public void wake() {
    wakes.release();
  }

  /** What the file says. */
  public PolicyDefinition file() {
    synchronized (lock) {
      return file;
    }
  }

  /** Which configuration holds. Never waits. */
  public ConfigurationState state() {
    return state;
  }

  /** Whether all holds that the feed has told of. */
  public boolean isUpToDate() {
    return state.isCurrent() && state.version() >= toldVersion;
  }

  /**
   * Takes over what the file says now.
   *
   * @throws ConfigException if that and the database are wrong together; then all stays as it was
   */
  public void fileChanged(PolicyDefinition next) {
    synchronized (lock) {
      StoredConfiguration stored = current == null ? StoredConfiguration.EMPTY : current;
      user.accept(MergedPolicy.of(next, stored, reader));
      file = next;
    }
    // What was refused before may be right with it.
    wake();
  }

  private void run() {
    database.awaitOpen(patience);
    while (!isClosed) {
      Duration pause = load() ? LOOK_AGAIN : retry;
      try {
        wakes.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException ended) {
        return;
      }
      wakes.drainPermits();
    }
  }

  /**
   * Takes over what the database says now, before it returns. One at a time, so that what was read
   * earlier is not taken over later.
   *
   * @return whether it could be read
   */
  public synchronized boolean load() {
    try {
      StoredConfiguration stored = StoredConfiguration.read(database);
      Instant now = Instant.now();
      if (take(stored, now)) {
        save(stored, now);
      }
      return true;
    } catch (DatabaseException gone) {
      refuse(unreadable(gone));
      return false;
    } catch (ConfigException wrong) {
      refuse("change refused: " + wrong.getMessage());
      return true;
    } catch (RuntimeException failure) {
      refuse("change refused: " + failure);
      return true;
    }
  }

  /** Returns whether it is another one than before. */
  private boolean take(StoredConfiguration stored, Instant now) {
    synchronized (lock) {
      boolean isSame =
          current != null
              && state.origin() == Origin.DATABASE
              && current.entries().equals(stored.entries());
      if (!isSame) {
        user.accept(MergedPolicy.of(file, stored, reader));
      }
      if (state.problem() != null && current != null) {
        LOGGER.log(System.Logger.Level.INFO, "the configuration of {0} holds again", database);
      }
      boolean isNew = current == null || !current.equals(stored) || !isSame;
      current = stored;
      snapshotProblem = "";
      state = new ConfigurationState(Origin.DATABASE, stored.version(), now, null);
      lock.notifyAll();
      return isNew;
    }
  }

  /** Leaves everything as it is, and says why. */
  private void refuse(String reason) {
    synchronized (lock) {
      String problem = reason + snapshotProblem;
      if (!problem.equals(state.problem()) && !isClosed) {
        LOGGER.log(
            System.Logger.Level.WARNING, "the configuration stays as it was, since " + problem);
      }
      state = new ConfigurationState(state.origin(), state.version(), state.asOf(), problem);
    }
  }

  private void save(StoredConfiguration stored, Instant now) {
    try {
      snapshot.write(stored, now);
    } catch (UncheckedIOException failure) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "without the database the next start will have an old configuration, or none: {0}",
          failure.getMessage());
    }
  }

  private void startWithoutDatabase() {
    String problem = state.problem() == null ? whyNothingWasRead() : state.problem();
    try {
      Optional<Snapshot.Saved> saved = snapshot.read();
      if (saved.isPresent()) {
        StoredConfiguration stored = saved.get().stored();
        user.accept(MergedPolicy.of(file, stored, reader));
        current = stored;
        state =
            new ConfigurationState(Origin.SNAPSHOT, stored.version(), saved.get().at(), problem);
        LOGGER.log(System.Logger.Level.WARNING, "the configuration is {0}", state);
        return;
      }
    } catch (ConfigException wrong) {
      snapshotProblem = "; " + wrong.getMessage();
    }
    user.accept(MergedPolicy.of(file, StoredConfiguration.EMPTY, reader));
    current = StoredConfiguration.EMPTY;
    state = new ConfigurationState(Origin.FILE, 0, null, problem + snapshotProblem);
    LOGGER.log(System.Logger.Level.WARNING, "the configuration is {0}", state);
  }

  private String whyNothingWasRead() {
    try {
      database.jdbi();
      return "the database does not answer";
    } catch (DatabaseException notOpen) {
      return unreadable(notOpen);
    }
  }

  private static String unreadable(DatabaseException failure) {
    return "the database cannot be read: " + failure.getMessage();
  }

  /** Ends. What holds goes on holding. */
  @Override
  public void close() {
    isClosed = true;
    // Nobody interrupts the thread: an embedded database would close its file by that.
    wake();
    try {
      thread.join(END.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
