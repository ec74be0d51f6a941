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

  private final Path file;
  private final Map<String, String> environment;
  private final Consumer<Config> user;
  private final Object lock = new Object();
  private Config current;
  private @Nullable RuntimeException lastFailure;
  private Stamp seen;
  private @Nullable HangUp hangUp;
  private volatile boolean isClosed;

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
    this.file = file;
    this.environment = Map.copyOf(environment);
    this.user = Objects.requireNonNull(user, "user");
    this.seen = Stamp.of(file);
    this.current = ConfigReader.read(file, this.environment);
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
        Config next = ConfigReader.read(file, environment);
        user.accept(next);
        List<String> later = needRestart(current, next);
        current = next;
        lastFailure = null;
        return later;
      } catch (RuntimeException failure) {
        lastFailure = failure;
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

  /** Looks at the file again and again, on a thread of its own, until this is closed. */
  public void watch(Duration interval) {
    Thread thread =
        new Thread(
            () -> {
              while (!isClosed) {
                try {
                  Thread.sleep(interval.toMillis());
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

  /**
   * Reads the file again at every SIGHUP, until this is closed. A process that was started to
   * ignore the signal, as by {@code nohup}, does not get it.
   *
   * @throws UnsupportedOperationException if this runtime or system has no such signal
   */
  public void reloadOnHangUp() {
    synchronized (lock) {
      if (hangUp == null && !isClosed) {
        hangUp = HangUp.handledBy(this::reloadAndLog);
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
