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
    String ofFile = section.textOfFile("limit");
    boolean isVariable = section.isVariable("limit");
    if (text != null && isWhole(text)) {
      // A whole text in the environment stands in place of all that the file says.
      requireNoParts(section, isVariable);
      return section.parsed("limit", text, LimitSection::parse, standard);
    }
    if (text != null && ofFile != null && isVariable && isWhole(ofFile)) {
      requireNoParts(section, false);
      return section.parsed(
          "limit", text, number -> changed(parse(ofFile), number, null), standard);
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

  private static boolean isWhole(String text) {
    return text.indexOf('/') >= 0;
  }

  private static void requireNoParts(Section section, boolean onlyVariables) {
    for (String part : PARTS) {
      if (onlyVariables ? section.isVariable(part) : section.has(part)) {
        section.report(part, "is part of the limit's text already; leave it out here");
      }
    }
  }

  /**
   * The limit with other permits, another period or both, and all else as it was. A burst that
   * follows from the permits goes on following them.
   *
   * @param permits in digits; null: as they are
   * @param period as in a limit's text; null: as it is
   */
  static Limit changed(Limit limit, @Nullable String permits, @Nullable String period) {
    String text = limit.toString();
    int space = text.indexOf(' ');
    return parse(
        (permits == null ? Long.toString(limit.permits()) : permits)
            + "/"
            + (period == null ? limit.period().toString() : period)
            + (space < 0 ? "" : text.substring(space)));
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
