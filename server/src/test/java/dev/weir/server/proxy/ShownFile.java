package dev.weir.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A file as a guide shows it, perhaps changed. Immutable.
 *
 * @param place where it is shown, for messages
 * @param text all of it
 */
record ShownFile(String place, String text) {
  private static final String ELLIPSIS = "…";

  /** With something else in place of what is shown, wherever that is. */
  ShownFile with(String shown, String actual) {
    assertThat(text).as(place).contains(shown);
    return new ShownFile(place, text.replace(shown, actual));
  }

  /**
   * With a change as it is shown: lines that start with {@code +} come in, those with {@code -} go,
   * the others say where. An ellipsis stands for lines in between.
   */
  ShownFile changedBy(List<String> change) {
    ShownFile changed = this;
    List<String> before = new ArrayList<>();
    List<String> after = new ArrayList<>();
    for (String line : change) {
      if (line.equals(ELLIPSIS)) {
        changed = changed.replaced(before, after);
        before.clear();
        after.clear();
        continue;
      }
      assertThat(line).as("%s: a line of a change", place).matches("[-+ ].*");
      if (line.charAt(0) != '+') {
        before.add(line.substring(1));
      }
      if (line.charAt(0) != '-') {
        after.add(line.substring(1));
      }
    }
    return changed.replaced(before, after);
  }

  private ShownFile replaced(List<String> before, List<String> after) {
    String old = "\n" + String.join("\n", before) + "\n";
    assertThat(text.split(Pattern.quote(old), -1))
        .as("%s: the parts around%s", place, old)
        .hasSize(2);
    return new ShownFile(place, text.replace(old, "\n" + String.join("\n", after) + "\n"));
  }

  void write(Path file) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
