package dev.weir;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the text form of limits: {@code <permits>/<period>} and then, in any order, {@code burst
 * <n>}, an algorithm, {@code align <start>} and {@code zone <zone>}.
 */
final class LimitText {
  private static final Pattern SPACES = Pattern.compile("\\s+");
  private static final String PERIODS = "s, m, h, d, week, month or a duration such as 60s";

  private final String text;
  private @Nullable Long burst;
  private @Nullable Algorithm algorithm;
  private FixedWindow.@Nullable Align align;
  private @Nullable ZoneId zone;

  private LimitText(String text) {
    this.text = text;
  }

  static Limit parse(String text) {
    try {
      return new LimitText(text).read();
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("limit \"" + text + "\": " + wrong.getMessage(), wrong);
    }
  }

  private Limit read() {
    String[] words = SPACES.split(text.strip());
    int slash = words[0].indexOf('/');
    if (slash < 0) {
      throw wrong("must start with <permits>/<period>, for example 100/s");
    }
    long permits = number("permits", words[0].substring(0, slash));
    readOptions(words);
    return build(permits, words[0].substring(slash + 1));
  }

  private void readOptions(String[] words) {
    for (int i = 1; i < words.length; i++) {
      String word = words[i];
      switch (word) {
        case "burst" ->
            burst = once("burst", burst, number("burst", argument(words, ++i, "burst 20")));
        case "align" ->
            align = once("align", align, align(argument(words, ++i, "align first_request")));
        case "zone" -> zone = once("zone", zone, zone(argument(words, ++i, "zone Europe/Berlin")));
        default -> algorithm = once("algorithm", algorithm, algorithm(word));
      }
    }
  }

  private Limit build(long permits, String periodText) {
    Algorithm chosen = algorithm == null ? Algorithm.TOKEN_BUCKET : algorithm;
    if (burst != null && chosen != Algorithm.TOKEN_BUCKET) {
      throw wrong(
          "burst is only for token_bucket, got it with " + chosen + "; leave one of them out");
    }
    if (align != null && chosen != Algorithm.FIXED_WINDOW) {
      throw wrong(
          "align is only for fixed_window, for example 10/60s fixed_window align first_request");
    }
    if (zone != null && chosen != Algorithm.FIXED_WINDOW) {
      throw wrong(
          "zone is only for fixed_window, for example 100/d fixed_window zone Europe/Berlin");
    }
    return switch (chosen) {
      case TOKEN_BUCKET ->
          new TokenBucket(permits, span(periodText), burst == null ? permits : burst);
      case FIXED_WINDOW -> fixedWindow(permits, periodText);
      case SLIDING_WINDOW -> new SlidingWindow(permits, span(periodText));
      case SLIDING_LOG -> new SlidingLog(permits, span(periodText));
    };
  }

  private FixedWindow fixedWindow(long permits, String periodText) {
    FixedWindow.Align start = align == null ? FixedWindow.Align.EPOCH : align;
    Period.@Nullable CalendarUnit unit = calendarUnit(periodText);
    boolean byCalendar =
        unit != null
            && (unit == Period.CalendarUnit.MONTH || start != FixedWindow.Align.FIRST_REQUEST);
    if (unit != null && byCalendar) {
      ZoneId place = zone == null ? ZoneOffset.UTC : zone;
      return new FixedWindow(permits, new Period.Calendar(unit, place), start);
    }
    if (zone != null && unit != null) {
      throw wrong("zone is for windows of the calendar, got it with first_request; leave one out");
    }
    if (zone != null) {
      throw wrong("zone needs a calendar period, got " + periodText + "; write d, week or month");
    }
    return new FixedWindow(permits, span(periodText), start);
  }

  private static Period.@Nullable CalendarUnit calendarUnit(String periodText) {
    return switch (periodText) {
      case "d", "day" -> Period.CalendarUnit.DAY;
      case "week" -> Period.CalendarUnit.WEEK;
      case "month" -> Period.CalendarUnit.MONTH;
      default -> null;
    };
  }

  private Period.Span span(String periodText) {
    int digits = 0;
    while (digits < periodText.length() && isDigit(periodText.charAt(digits))) {
      digits++;
    }
    String symbol = periodText.substring(digits);
    long amount = digits == 0 ? 1 : number("period", periodText.substring(0, digits));
    return switch (symbol) {
      case "ms" -> {
        if (digits == 0) {
          throw wrong("period \"ms\" has no number; write for example 250ms");
        }
        yield new Period.Span(amount, Period.Unit.MILLISECOND);
      }
      case "s" -> new Period.Span(amount, Period.Unit.SECOND);
      case "m" -> new Period.Span(amount, Period.Unit.MINUTE);
      case "h" -> new Period.Span(amount, Period.Unit.HOUR);
      case "d" -> new Period.Span(amount, Period.Unit.DAY);
      case "week" -> new Period.Span(amount, Period.Unit.WEEK);
      default -> named(periodText, symbol, digits, amount);
    };
  }

  private Period.Span named(String periodText, String symbol, int digits, long amount) {
    if (symbol.isEmpty() && digits > 0) {
      return new Period.Span(amount, Period.Unit.SECOND);
    }
    return switch (periodText) {
      case "day" -> new Period.Span(1, Period.Unit.DAY);
      case "month" ->
          throw wrong("period month is for fixed_window only; write 30d or add fixed_window");
      default ->
          throw wrong(
              "period \"" + periodText + "\" is unknown; write " + PERIODS + ", for example 100/s");
    };
  }

  private long number(String part, String digits) {
    boolean plain = !digits.isEmpty() && digits.length() <= 18;
    for (int i = 0; plain && i < digits.length(); i++) {
      plain = isDigit(digits.charAt(i));
    }
    if (!plain) {
      throw wrong(
          part
              + " \""
              + digits
              + "\" is no number from 1 to "
              + Limit.MAX_PERMITS
              + ", for example 100/s burst 20");
    }
    return Long.parseLong(digits);
  }

  private Algorithm algorithm(String word) {
    for (Algorithm candidate : Algorithm.values()) {
      if (candidate.toString().equals(word)) {
        return candidate;
      }
    }
    throw wrong(
        "\""
            + word
            + "\" is unknown; after the period write burst, align, zone or one of token_bucket,"
            + " fixed_window, sliding_window, sliding_log, for example 5/h sliding_log");
  }

  private FixedWindow.Align align(String word) {
    return switch (word) {
      case "epoch" -> FixedWindow.Align.EPOCH;
      case "first_request" -> FixedWindow.Align.FIRST_REQUEST;
      default -> throw wrong("align \"" + word + "\" is unknown; write epoch or first_request");
    };
  }

  private ZoneId zone(String word) {
    try {
      return ZoneId.of(word);
    } catch (DateTimeException unknown) {
      throw wrong("zone \"" + word + "\" is unknown; write for example Europe/Berlin or UTC");
    }
  }

  private String argument(String[] words, int index, String example) {
    if (index >= words.length) {
      throw wrong(words[index - 1] + " has no value; write for example " + example);
    }
    return words[index];
  }

  private <T> T once(String part, @Nullable T before, T value) {
    if (before != null) {
      throw wrong(part + " is given twice; write it once");
    }
    return value;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(what);
  }
}
