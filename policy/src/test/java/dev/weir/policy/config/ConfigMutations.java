package dev.weir.policy.config;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The file with every key, with a few random changes. */
final class ConfigMutations {
  private static final String LETTERS = "\"'[]{}=.,#/*-_ \n\t0159azAZ%é\u0000";

  private final SplittableRandom random;
  private final String original;

  ConfigMutations(long seed) throws IOException {
    this.random = new SplittableRandom(seed);
    this.original = ConfigReaderTest.resource("every-key.toml");
  }

  String next() {
    String text = original;
    for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
      text = mutated(text, random);
    }
    return text;
  }

  private static String mutated(String text, SplittableRandom random) {
    int at = random.nextInt(text.length());
    int end = Math.min(text.length(), at + random.nextInt(1, 6));
    return switch (random.nextInt(6)) {
      case 0 -> text.substring(0, at) + text.substring(end);
      case 1 -> text.substring(0, at) + letter(random) + text.substring(at);
      case 2 ->
          text.substring(0, at) + letter(random) + text.substring(Math.min(text.length(), at + 1));
      case 3 -> text.substring(0, at) + text.substring(at, end) + text.substring(at);
      default -> withLinesMoved(text, random);
    };
  }

  private static char letter(SplittableRandom random) {
    return LETTERS.charAt(random.nextInt(LETTERS.length()));
  }

  /** A line dropped, doubled, or put elsewhere. */
  private static String withLinesMoved(String text, SplittableRandom random) {
    List<String> lines = new ArrayList<>(text.lines().toList());
    String line = lines.get(random.nextInt(lines.size()));
    if (random.nextBoolean()) {
      lines.remove(line);
    }
    if (random.nextBoolean()) {
      lines.add(random.nextInt(lines.size() + 1), line);
    }
    return String.join("\n", lines) + "\n";
  }
}
