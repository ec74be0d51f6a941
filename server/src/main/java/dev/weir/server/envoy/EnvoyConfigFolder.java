package dev.weir.server.envoy;

import dev.weir.policy.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A folder of configuration files that may change. A change that is right takes effect as a whole;
 * one that is wrong changes nothing, and is remembered and logged. If the files are wrong from the
 * start, there is no configuration until they are right.
 *
 * <p>The folder is looked at from time to time instead of watched: that sees every kind of change,
 * also files that come and go and the swapped links of a Kubernetes ConfigMap, on every file
 * system.
 */
public final class EnvoyConfigFolder implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(EnvoyConfigFolder.class.getName());

  /** How often a folder that goes on changing is read before it is taken as it is. */
  private static final int MOST_READS = 10;

  private final Path folder;
  private final BooleanSupplier mergesDomains;
  private final EnvoyStats stats;
  private final Consumer<EnvoyConfig> user;
  private final Object lock = new Object();
  private Map<Path, Stamp> seen = Map.of();
  private volatile @Nullable EnvoyConfig current;
  private volatile @Nullable RuntimeException lastFailure;
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

    /** The stamps of all files that are read; none if the folder is missing. */
    static Map<Path, Stamp> ofAll(Path folder) {
      Map<Path, Stamp> stamps = new HashMap<>();
      try {
        for (Path file : EnvoyConfigReader.files(folder)) {
          stamps.put(file, of(file));
        }
      } catch (IOException missing) {
        stamps.put(folder, MISSING);
      }
      return stamps;
    }
  }

  /**
   * Reads the folder for the first time; says in the log what is wrong with its files.
   *
   * @param mergesDomains whether several files may be about one domain; asked at each reading
   * @param stats where readings and the hits on rules are counted
   * @param user is given every configuration that is right, this first one included; if it throws,
   *     the one before stays
   * @throws ConfigException if there is no such folder
   */
  public EnvoyConfigFolder(
      Path folder, BooleanSupplier mergesDomains, EnvoyStats stats, Consumer<EnvoyConfig> user) {
    this.folder = folder;
    this.mergesDomains = Objects.requireNonNull(mergesDomains, "mergesDomains");
    this.stats = Objects.requireNonNull(stats, "stats");
    this.user = Objects.requireNonNull(user, "user");
    try {
      this.current = load();
    } catch (ConfigException wrong) {
      if (!Files.isDirectory(folder)) {
        throw wrong;
      }
      this.lastFailure = wrong;
      log(wrong);
    }
  }

  /** Reads what is there and hands it on; what was seen is known then, also if it is wrong. */
  private EnvoyConfig load() {
    boolean isRight = false;
    try {
      EnvoyConfig next = read();
      user.accept(next);
      isRight = true;
      return next;
    } finally {
      stats.countConfigLoad(isRight);
    }
  }

  /** Files that change while they are read may not fit together, so they are read again. */
  private EnvoyConfig read() {
    seen = Stamp.ofAll(folder);
    for (int reads = 1; ; reads++) {
      try {
        EnvoyConfig config = EnvoyConfigReader.read(folder, mergesDomains.getAsBoolean(), stats);
        if (isAsSeen() || reads == MOST_READS) {
          return config;
        }
      } catch (ConfigException wrong) {
        if (isAsSeen() || reads == MOST_READS) {
          throw wrong;
        }
      }
      // Whoever writes several files needs a moment.
      LockSupport.parkNanos(reads * 1_000_000L);
    }
  }

  /** Whether nothing has changed meanwhile. */
  private boolean isAsSeen() {
    Map<Path, Stamp> before = seen;
    seen = Stamp.ofAll(folder);
    return seen.equals(before);
  }

  /** The configuration that holds; null as long as there was none that is right. */
  public @Nullable EnvoyConfig current() {
    return current;
  }

  /**
   * Why the last change did not take effect: a {@link ConfigException} with all mistakes, or what
   * the user of configurations threw; null if it took effect.
   */
  public @Nullable RuntimeException lastFailure() {
    return lastFailure;
  }

  /**
   * Reads the folder again, whether it has changed or not.
   *
   * @throws ConfigException with all mistakes; then everything stays as it was, as it does when the
   *     user of configurations throws
   */
  public void reload() {
    synchronized (lock) {
      try {
        current = load();
        lastFailure = null;
      } catch (RuntimeException failure) {
        lastFailure = failure;
        throw failure;
      }
    }
  }

  /**
   * Reads the folder again if a file has changed, come or gone; says in the log what came of it.
   */
  public void reloadIfChanged() {
    synchronized (lock) {
      if (Stamp.ofAll(folder).equals(seen)) {
        return;
      }
    }
    reloadAndLog();
  }

  /** Reads the folder again; says in the log what came of it. */
  public void reloadAndLog() {
    try {
      reload();
      LOGGER.log(System.Logger.Level.INFO, "{0} was read again", folder);
    } catch (ConfigException wrong) {
      log(wrong);
    } catch (RuntimeException failure) {
      LOGGER.log(System.Logger.Level.WARNING, "the rules for Envoy stay as they were", failure);
    }
  }

  private void log(ConfigException wrong) {
    LOGGER.log(
        System.Logger.Level.WARNING,
        (current() == null
                ? "there are no rules for Envoy until their files are right:\n"
                : "the rules for Envoy stay as they were, since the new ones are wrong:\n")
            + wrong.getMessage());
  }

  /** Looks at the folder again and again, on a thread of its own, until this is closed. */
  public void watch(Duration interval) {
    Thread thread = new Thread(() -> lookAgainEvery(interval), "weir-envoy-config");
    thread.setDaemon(true);
    thread.start();
  }

  private void lookAgainEvery(Duration interval) {
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
  }

  /** Its path. */
  @Override
  public String toString() {
    return folder.toString();
  }

  /** Ends the watching. */
  @Override
  public void close() {
    isClosed = true;
  }
}
