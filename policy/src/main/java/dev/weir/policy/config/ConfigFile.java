package dev.weir.policy.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A {@code weir.toml} that may change. A change that is right takes effect as a whole; one that is
 * wrong changes nothing, and is remembered and logged.
 *
 * <p>The file is looked at from time to time instead of watched: that sees every kind of change,
 * also a rename over it and the swapped links of a Kubernetes ConfigMap, on every file system.
 */
public final class ConfigFile implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(ConfigFile.class.getName());

  /** So long a file that is being written may stay the same. */
  private static final long WRITTEN_MILLIS = 100;

  private final Path file;
  private final Map<String, String> environment;
  private final Consumer<Config> user;
  private final boolean isOptional;
  private final LongAdder successes = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final Object lock = new Object();
  private Config current;

  /** Whether there is or was a file. */
  private boolean hasFile;

  private @Nullable RuntimeException lastFailure;
  private Stamp seen;
  private @Nullable ProcessSignal hangUp;
  private volatile boolean isClosed;
  private volatile Runnable onFailure = () -> {};

  /** What tells that a file has changed, without reading it. */
  private record Stamp(Path real, long size, long modifiedNanos, @Nullable Object fileKey) {
    static final Stamp MISSING = new Stamp(Path.of(""), -1, -1, null);

    static Stamp of(Path file) {
      try {
        Path real = file.toRealPath();
        BasicFileAttributes attributes = Files.readAttributes(real, BasicFileAttributes.class);
        return new Stamp(
            real,
            attributes.size(),
            attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
            attributes.fileKey());
      } catch (IOException missing) {
        return MISSING;
      }
    }
  }

  /**
   * Reads the file for the first time.
   *
   * @param user is given every configuration that is right, this first one excepted; if it throws,
   *     the one before stays
   * @throws ConfigException with all mistakes
   */
  public ConfigFile(Path file, Map<String, String> environment, Consumer<Config> user) {
    this(file, environment, user, false);
  }

  private ConfigFile(
      Path file, Map<String, String> environment, Consumer<Config> user, boolean isOptional) {
    this.file = file;
    this.environment = Map.copyOf(environment);
    this.user = Objects.requireNonNull(user, "user");
    this.isOptional = isOptional;
    this.seen = Stamp.of(file);
    this.current = read();
  }

  /**
   * As the constructor, but as long as there is no such file, the built-in configuration holds. A
   * file that was there and is gone is a mistake.
   */
  public static ConfigFile orBuiltIn(
      Path file, Map<String, String> environment, Consumer<Config> user) {
    return new ConfigFile(file, environment, user, true);
  }

  private Config read() {
    hasFile |= !isOptional || Files.exists(file);
    return hasFile ? ConfigReader.read(file, environment) : ConfigReader.builtIn(environment);
  }

  /** The file, or {@code built-in} while there is none. */
  public String source() {
    return isBuiltIn() ? "built-in" : file.toString();
  }

  /** Whether there is no file, so that the built-in configuration holds. */
  public boolean isBuiltIn() {
    synchronized (lock) {
      return !hasFile;
    }
  }

  /** Does that whenever a change has not taken effect. */
  public void onFailure(Runnable task) {
    onFailure = task;
  }

  /** How often a configuration took effect after the first. */
  public long reloads() {
    return successes.sum();
  }

  /** How often a change did not take effect. */
  public long failedReloads() {
    return failures.sum();
  }

  /** The configuration that holds. */
  public Config current() {
    synchronized (lock) {
      return current;
    }
  }

  /**
   * Why the last change did not take effect: a {@link ConfigException} with the mistakes of the
   * file, or what the user of configurations threw; null if it took effect.
   */
  public @Nullable RuntimeException lastFailure() {
    synchronized (lock) {
      return lastFailure;
    }
  }

  /**
   * Reads the file again, whether it has changed or not.
   *
   * @return which keys have changed that take effect only at the next start
   * @throws ConfigException with all mistakes; then everything stays as it was, as it does when the
   *     user of configurations throws
   */
  public List<String> reload() {
    synchronized (lock) {
      Stamp stamp = Stamp.of(file);
      try {
        Config next = read();
        user.accept(next);
        List<String> later = needRestart(current, next);
        current = next;
        lastFailure = null;
        successes.increment();
        return later;
      } catch (RuntimeException failure) {
        lastFailure = failure;
        failures.increment();
        onFailure.run();
        throw failure;
      } finally {
        seen = stamp;
      }
    }
  }

  private static List<String> needRestart(Config before, Config after) {
    List<String> keys = new ArrayList<>();
    if (!before.server().listen().equals(after.server().listen())) {
      keys.add("server.listen");
    }
    if (!before.counters().equals(after.counters())) {
      keys.add("counters");
    }
    if (!before.redis().equals(after.redis())) {
      keys.add("redis");
    }
    if (!before.database().equals(after.database())) {
      keys.add("database");
    }
    if (!before.envoy().config().equals(after.envoy().config())) {
      keys.add("envoy.config");
    }
    return keys;
  }

  /** Reads the file again if it has changed; says what came of it in the log. */
  public void reloadIfChanged() {
    synchronized (lock) {
      Stamp stamp = Stamp.of(file);
      if (stamp.equals(seen)) {
        return;
      }
    }
    reloadAndLog();
  }

  /** Reads the file again; says what came of it in the log. */
  public void reloadAndLog() {
    try {
      List<String> later = reload();
      LOGGER.log(System.Logger.Level.INFO, "{0} was read again", file);
      if (!later.isEmpty()) {
        LOGGER.log(
            System.Logger.Level.WARNING,
            "{0}: changed, but takes effect only after a restart: {1}",
            file,
            String.join(", ", later));
      }
    } catch (ConfigException wrong) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "the configuration stays as it was, since the new one is wrong:\n" + wrong.getMessage());
    } catch (RuntimeException failure) {
      LOGGER.log(System.Logger.Level.WARNING, "the configuration stays as it was", failure);
    }
  }

  /**
   * Looks at the file again and again, on a thread of its own, until this is closed. A file that
   * changes is read when it has stayed the same for a moment: many programs empty it first, and an
   * empty one is right too.
   */
  public void watch(Duration interval) {
    Thread thread =
        new Thread(
            () -> {
              while (!isClosed) {
                try {
                  Thread.sleep(interval.toMillis());
                  awaitWritten();
                } catch (InterruptedException ended) {
                  return;
                }
                if (!isClosed) {
                  reloadIfChanged();
                }
              }
            },
            "weir-config");
    thread.setDaemon(true);
    thread.start();
  }

  private void awaitWritten() throws InterruptedException {
    Stamp before;
    synchronized (lock) {
      before = seen;
    }
    Stamp now = Stamp.of(file);
    while (!isClosed && !now.equals(before)) {
      Thread.sleep(WRITTEN_MILLIS);
      before = now;
      now = Stamp.of(file);
    }
  }

  /**
   * Reads the file again at every SIGHUP, until this is closed. A process that was started to
   * ignore the signal, as by {@code nohup}, does not get it.
   *
   * @throws UnsupportedOperationException if this runtime or system has no such signal
   */
  public void reloadOnHangUp() {
    synchronized (lock) {
      if (hangUp == null && !isClosed) {
        hangUp = ProcessSignal.handledBy("HUP", this::reloadAndLog);
      }
    }
  }

  /** Ends the watching, and leaves SIGHUP as it was. */
  @Override
  public void close() {
    synchronized (lock) {
      isClosed = true;
      if (hangUp != null) {
        hangUp.close();
        hangUp = null;
      }
    }
  }
}
