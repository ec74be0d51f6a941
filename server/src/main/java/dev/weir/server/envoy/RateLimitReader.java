package dev.weir.server.envoy;

import dev.weir.Algorithm;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.Period;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;

/** Reads a {@code rate_limit}. */
final class RateLimitReader {
  private static final long MOST_REQUESTS = 0xFFFF_FFFFL;

  private final YamlMap map;
  private final Reading reading;

  RateLimitReader(YamlMap map, Reading reading) {
    this.map = map;
    this.reading = reading;
  }

  /** What it says; of use only if nothing was reported. */
  RuleDraft read() {
    map.requireKeys(EnvoyKeys.RATE_LIMIT);
    boolean isUnlimited = map.bool("unlimited");
    long permits = map.integer("requests_per_unit", 0, MOST_REQUESTS);
    String name = map.text("name");
    List<String> replaces = replaces(name);
    if (isUnlimited) {
      requireNoUnit();
      return new RuleDraft(true, permits, null, null, name, replaces);
    }
    Period.Span span = map.has("period") ? period() : unit();
    RuleLimit limit = span == null ? null : limit(permits, span);
    return new RuleDraft(false, permits, span, limit, name, replaces);
  }

  private void requireNoUnit() {
    if (LimitUnit.named(map.text("unit")) != null) {
      report("unit", "should not specify rate limit unit when unlimited");
    }
    for (String key : List.of("period", "algorithm", "burst")) {
      if (map.has(key)) {
        report(key, "should not specify " + key + " when unlimited");
      }
    }
  }

  private Period.@Nullable Span unit() {
    String text = map.text("unit");
    LimitUnit unit = LimitUnit.named(text);
    if (unit == null) {
      report("unit", "invalid rate limit unit '" + text + "'");
      return null;
    }
    return unit.span();
  }

  private Period.@Nullable Span period() {
    if (map.has("unit")) {
      report("unit", "should not specify rate limit unit beside period");
    }
    String text = map.text("period");
    boolean isPlain =
        !text.isEmpty()
            && Character.isDigit(text.charAt(0))
            && text.chars().allMatch(Character::isLetterOrDigit);
    try {
      if (isPlain
          && Limit.parse("1/" + text + " fixed_window") instanceof FixedWindow window
          && window.period() instanceof Period.Span span) {
        return span;
      }
    } catch (IllegalArgumentException wrong) {
      // Said below.
    }
    report(
        "period",
        "invalid period '"
            + text
            + "'; write a number and ms, s, m, h or d, from 1ms to 366d, for example 30s");
    return null;
  }

  private @Nullable RuleLimit limit(long permits, Period.Span span) {
    Algorithm algorithm = algorithm();
    long burst = map.integer("burst", 1, Limit.MAX_PERMITS);
    if (map.has("burst") && algorithm != Algorithm.TOKEN_BUCKET) {
      report("burst", "burst can only be used with algorithm token_bucket");
      return null;
    }
    if (permits == 0) {
      return null;
    }
    try {
      return algorithm == null
          ? RuleLimit.countingOn(permits, span)
          : RuleLimit.by(algorithm, permits, span, burst == 0 ? null : burst);
    } catch (IllegalArgumentException wrong) {
      report("requests_per_unit", Objects.requireNonNull(wrong.getMessage()));
      return null;
    }
  }

  private @Nullable Algorithm algorithm() {
    String text = map.text("algorithm");
    if (text.isEmpty()) {
      return null;
    }
    for (Algorithm algorithm : Algorithm.values()) {
      if (algorithm.toString().equals(text)) {
        return algorithm;
      }
    }
    report(
        "algorithm",
        "algorithm must be token_bucket, fixed_window, sliding_window or sliding_log, got \""
            + text
            + "\"");
    return null;
  }

  private List<String> replaces(String ownName) {
    List<String> names = new ArrayList<>();
    for (MappingNode element : map.maps("replaces")) {
      YamlMap replaced = new YamlMap(element, reading);
      replaced.requireKeys(EnvoyKeys.REPLACES);
      String name = replaced.text("name");
      if (name.isEmpty()) {
        reading.mistakes().report(element, "should not have an empty replaces entry");
      } else if (name.equals(ownName)) {
        reading.mistakes().report(element, "replaces should not contain name of same descriptor");
      }
      names.add(name);
    }
    return List.copyOf(names);
  }

  private void report(String key, String problem) {
    reading.mistakes().report(map.at(key), problem);
  }
}
