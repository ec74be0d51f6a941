package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Limit texts at random: right ones, nearly right ones and noise. A text is read or refused with a
 * message that quotes it; nothing else comes out. With the system property {@code weir.long} there
 * are more of them.
 */
class LimitTextFuzzTest {
  private static final int TEXTS = Boolean.getBoolean("weir.long") ? 10_000_000 : 100_000;

  private static final String[] NUMBERS = {
    "1",
    "2",
    "10",
    "60",
    "100",
    "999",
    "1000",
    "86400",
    "007",
    "0",
    "-1",
    "+5",
    "1.5",
    "1e3",
    "٣",
    "1000000000000",
    "1000000000001",
    "999999999999999999",
    "9223372036854775808",
    "",
  };
  private static final String[] PERIODS = {
    "s",
    "m",
    "h",
    "d",
    "day",
    "week",
    "month",
    "250ms",
    "60s",
    "5m",
    "24h",
    "366d",
    "367d",
    "30",
    "1ms",
    "0s",
    "ms",
    "S",
    "year",
    "2week",
    "1d",
    "7d",
    "31622400s",
    "99999999999999999999s",
    "",
  };
  private static final String[] WORDS = {
    "burst",
    "align",
    "zone",
    "token_bucket",
    "fixed_window",
    "sliding_window",
    "sliding_log",
    "epoch",
    "first_request",
    "Europe/Berlin",
    "UTC",
    "Z",
    "GMT+1",
    "+05:30",
    "+18:00",
    "utc",
    "Nowhere/None",
    "20",
    "burst 20",
    "burst 1000000000000",
    "fixed_window zone America/New_York",
    "fixed_window align first_request",
  };
  private static final String[] SPACES = {" ", " ", " ", "  ", "\t", "\n", "\u2003", ""};

  @Test
  void readsOrRefusesEveryText() {
    long seed = new SplittableRandom().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    int read = 0;
    for (int i = 0; i < TEXTS; i++) {
      String text = text(random);
      try {
        if (isRead(text)) {
          read++;
        }
      } catch (RuntimeException | AssertionError failure) {
        throw new AssertionError("seed %d, text \"%s\"".formatted(seed, text), failure);
      }
    }
    // Of the texts a good part is right, or the test would say little about printing.
    assertThat(read).as("texts read, seed %d", seed).isGreaterThan(TEXTS / 50);
  }

  /** Reads the text, and what it prints, and checks that both mean the same. */
  private static boolean isRead(String text) {
    Limit limit;
    try {
      limit = Limit.parse(text);
    } catch (IllegalArgumentException refused) {
      String message = String.valueOf(refused.getMessage());
      if (!message.startsWith("limit \"" + text + "\": ")) {
        throw new AssertionError("the message does not quote the text", refused);
      }
      return false;
    }
    String printed = limit.toString();
    Limit again = Limit.parse(printed);
    if (!again.equals(limit) || !again.toString().equals(printed)) {
      throw new AssertionError("%s prints %s, which is %s".formatted(limit, printed, again));
    }
    return true;
  }

  private static String text(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    text.append(any(NUMBERS, random)).append('/').append(any(PERIODS, random));
    for (int words = random.nextInt(4); words > 0; words--) {
      text.append(any(SPACES, random)).append(any(WORDS, random));
    }
    for (int edits = Math.max(0, random.nextInt(6) - 3); edits > 0; edits--) {
      edit(text, random);
    }
    return text.toString();
  }

  /** Puts in, takes out or replaces one character. */
  private static void edit(StringBuilder text, SplittableRandom random) {
    int at = random.nextInt(text.length() + 1);
    char noise = (char) (random.nextBoolean() ? random.nextInt(128) : random.nextInt(1 << 16));
    switch (random.nextInt(3)) {
      case 0 -> text.insert(at, noise);
      case 1 -> text.replace(at, Math.min(text.length(), at + 1), "");
      default -> text.replace(at, Math.min(text.length(), at + 1), String.valueOf(noise));
    }
  }

  private static String any(String[] choices, SplittableRandom random) {
    return choices[random.nextInt(choices.length)];
  }
}
