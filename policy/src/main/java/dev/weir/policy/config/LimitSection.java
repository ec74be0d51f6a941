package dev.weir.policy.config;

import dev.weir.Algorithm;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a limit: a whole text such as {@code limit = "100/m burst 20"}, or a number with {@code
 * window}, {@code algorithm}, {@code burst}, {@code align} and {@code zone} beside it.
 */
final class LimitSection {
  private static final List<String> PARTS =
      List.of("window", "algorithm", "burst", "align", "zone");
  private static final Set<String> CALENDAR = Set.of("day", "week", "month");
  private static final Set<String> ALGORITHMS =
      Arrays.stream(Algorithm.values()).map(Object::toString).collect(Collectors.toSet());

  private LimitSection() {}

  /** The limit of a section; null if it gives none. */
  static @Nullable Limit readIfGiven(Section section) {
    if (section.has("limit")) {
      return read(section, 1, "60s");
    }
    for (String part : PARTS) {
      if (section.has(part)) {
        section.report(part, "has no limit beside it; write for example limit = 100");
      }
    }
    return null;
  }

  /** The limit of a section, with standard values for what is not given. */
  static Limit read(Section section, long permits, String window) {
    Limit standard = Limit.parse(permits + "/" + window);
    String text = section.text("limit");
    if (text != null && text.indexOf('/') >= 0) {
      for (String part : PARTS) {
        if (section.has(part)) {
          section.report(part, "is part of the limit's text already; leave it out here");
        }
      }
      return section.parsed("limit", text, LimitSection::parse, standard);
    }
    long number = section.integer("limit", permits, 1, Limit.MAX_PERMITS);
    List<String> words = new ArrayList<>();
    words.add(number + "/" + window(section, window));
    if (section.has("burst")) {
      words.add("burst " + section.integer("burst", number, 1, Limit.MAX_PERMITS));
    }
    words.add(section.choice("algorithm", Algorithm.TOKEN_BUCKET, Algorithm.values()).toString());
    if (section.has("align")) {
      words.add(
          "align " + section.choice("align", FixedWindow.Align.EPOCH, FixedWindow.Align.values()));
    }
    if (section.has("zone")) {
      words.add("zone " + section.string("zone", "UTC"));
    }
    return section.parsed("limit", String.join(" ", words), LimitSection::parse, standard);
  }

  private static String window(Section section, String standard) {
    String text = section.text("window");
    if (text == null || CALENDAR.contains(text)) {
      return text == null ? standard : text;
    }
    return section.parsed(
        "window",
        text,
        window -> {
          Durations.parse(window);
          return window;
        },
        standard);
  }

  /** A limit's text, with the algorithm and burst of its rule where it names none. */
  static Limit parse(String text, String algorithm, @Nullable Long burst) {
    List<String> words = List.of(text.strip().split("\\s+", -1));
    boolean namesAlgorithm = words.stream().anyMatch(ALGORITHMS::contains);
    String whole = namesAlgorithm ? text : text + " " + algorithm;
    boolean isBucket =
        namesAlgorithm ? words.contains("token_bucket") : algorithm.equals("token_bucket");
    boolean takesBurst = burst != null && isBucket && !words.contains("burst");
    try {
      return parse(takesBurst ? whole + " burst " + burst : whole);
    } catch (IllegalArgumentException wrong) {
      // If the text is wrong by itself, that is what should be said.
      parse(text);
      throw wrong;
    }
  }

  private static Limit parse(String text) {
    return Limit.parse(text);
  }
}
