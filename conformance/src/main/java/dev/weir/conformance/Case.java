package dev.weir.conformance;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;

/**
 * One row of the table.
 *
 * @param theme the file that it is in
 * @param name tells it from all others; it is also the domain of its configuration
 * @param why the fact that it shows
 * @param settings what the server must be started with, beside the standard settings
 * @param features what a server need not have
 * @param alignSeconds the case starts at a multiple of this
 * @param files its configuration files, by name; the name of the first one is empty
 * @param steps what happens
 */
record Case(
    String theme,
    String name,
    String why,
    SortedSet<String> settings,
    Set<String> features,
    long alignSeconds,
    Map<String, String> files,
    List<Step> steps) {

  static final String DEFAULT_PROFILE = "default";

  /** The setting under which a server finds no right configuration when it starts. */
  static final String NO_CONFIG = "no_config";

  /** The setting that gives the header fields names of their own. */
  static final String HEADER_NAMES = "header_names";

  /** The name of its settings together: {@code default}, or {@code shadow_mode+merge_domains}. */
  String profile() {
    return settings.isEmpty() ? DEFAULT_PROFILE : String.join("+", settings);
  }

  /** As reports name it. */
  String title() {
    return theme + "/" + name;
  }

  /** How long it lasts, in seconds of the server's clock. */
  long seconds() {
    return steps.stream().mapToLong(Step::at).max().orElse(0);
  }

  boolean reloads() {
    return steps.stream().anyMatch(Step.Reload.class::isInstance);
  }

  /** Whether it matters at which moment of a second it starts. */
  boolean countsSeconds() {
    return seconds() > 0 || steps.stream().anyMatch(Case::isOfSeconds);
  }

  private static boolean isOfSeconds(Step step) {
    return step instanceof Step.Ask ask
        && ask.expected() instanceof Expected.Answer answer
        && answer.statuses().stream()
            .anyMatch(each -> each.limit() != null && each.limit().unit() == Unit.SECOND);
  }

  boolean readsStats() {
    return steps.stream().anyMatch(Step.CheckStats.class::isInstance);
  }
}
