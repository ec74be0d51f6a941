package dev.weir.conformance;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a suite is run on one server: the target and its folder of configuration files, and what is
 * not as usual. Not safe for use by several threads at once.
 */
public final class Run {
  final String target;
  final Path configFolder;
  String profile = Case.DEFAULT_PROFILE;
  Clock clock = Clock.real();
  @Nullable Stats stats;
  @Nullable Reloader reloader;
  Duration settle = Duration.ofSeconds(2);
  Duration patience = Duration.ofSeconds(30);
  Consumer<Report.Outcome> listener = outcome -> {};
  private final Set<String> missing = new HashSet<>();
  private Pattern only = Pattern.compile(".*");

  private Run(String target, Path configFolder) {
    this.target = target;
    this.configFolder = configFolder;
  }

  /**
   * A run with the standard profile on the real clock.
   *
   * @param target host and port of the server's gRPC
   * @param configFolder the folder from which the server reads its configuration
   */
  public static Run on(String target, Path configFolder) {
    return new Run(target, configFolder);
  }

  /**
   * Runs the cases that need exactly these settings.
   *
   * @param profile names of settings with {@code +} between them, or {@code default} for none
   */
  public Run profile(String profile) {
    this.profile = String.join("+", new TreeSet<>(Arrays.asList(profile.split("\\+", -1))));
    return this;
  }

  /** Moves this clock, which must be the one that the server lives by. */
  public Run clock(Clock clock) {
    this.clock = clock;
    return this;
  }

  /** Reads counters there; without, the cases that look at counters are skipped. */
  public Run stats(Stats stats) {
    this.stats = stats;
    return this;
  }

  /** Has new files read by this. */
  public Run reloader(Reloader reloader) {
    this.reloader = reloader;
    return this;
  }

  /** Waits this long before new files count as rejected; 2 seconds unless said. */
  public Run settle(Duration settle) {
    this.settle = settle;
    return this;
  }

  /** Waits at most this long for new files to hold, and for counters; 30 seconds unless said. */
  public Run patience(Duration patience) {
    this.patience = patience;
    return this;
  }

  /** Skips the cases that need a feature which the server lacks. */
  public Run without(String feature) {
    missing.add(feature);
    return this;
  }

  /**
   * Runs no other cases.
   *
   * @param pattern what the name of a case, or theme and name, must look like; {@code *} stands for
   *     anything
   */
  public Run only(String pattern) {
    only = Pattern.compile("\\Q" + pattern.replace("*", "\\E.*\\Q") + "\\E");
    return this;
  }

  /** Tells this of each case when it ends. */
  public Run listener(Consumer<Report.Outcome> listener) {
    this.listener = listener;
    return this;
  }

  boolean wants(Case each) {
    return each.profile().equals(profile)
        && (only.matcher(each.name()).matches() || only.matcher(each.title()).matches());
  }

  /** Why a case cannot be tried, or null. */
  @Nullable String obstacle(Case each) {
    for (String feature : each.features()) {
      if (missing.contains(feature)) {
        return "the server does without " + feature;
      }
    }
    if (each.readsStats() && stats == null) {
      return "there is nowhere to read counters";
    }
    if (clock.isReal() && each.seconds() > CaseRun.LONGEST_WAIT_SECONDS) {
      return "it would take %d s on the real clock".formatted(each.seconds());
    }
    return null;
  }
}
