package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.config.Config;
import dev.weir.policy.config.ConfigReader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The file that {@code weir init} writes, as far as it is about the service. */
class InitFileTest {

  /** All of it, with the marks taken away from keys that are shown as comments. */
  private static String everything() throws IOException {
    try (InputStream in = Objects.requireNonNull(Weir.class.getResourceAsStream("weir.toml"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.matches("# (\\[.*|[a-z_0-9]+ = .*)") ? line.substring(2) : line)
          .collect(Collectors.joining("\n"));
    }
  }

  /** The sections that are settings: each is a record, with a component for each of its keys. */
  private static List<RecordComponent> sections() {
    return Arrays.stream(Config.class.getRecordComponents())
        .filter(section -> section.getType().getSimpleName().endsWith("Settings"))
        .toList();
  }

  private static String keyOf(RecordComponent setting) {
    return setting.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  @Test
  void hasEveryKeyOfTheSettings() throws IOException {
    Set<String> shown = new TreeSet<>();
    String section = "";
    for (String line : everything().lines().toList()) {
      if (line.startsWith("[")) {
        section = line.replaceAll("[\\[\\]]", "");
      } else if (line.matches("[a-z_0-9]+ = .*")) {
        shown.add(section + "." + line.substring(0, line.indexOf(' ')));
      }
    }
    Set<String> keys = new TreeSet<>();
    for (RecordComponent each : sections()) {
      for (RecordComponent setting : each.getType().getRecordComponents()) {
        keys.add(each.getName() + "." + keyOf(setting));
      }
    }

    assertThat(keys).contains("server.metrics_token", "envoy.quota_mode").hasSizeGreaterThan(40);
    assertThat(shown).containsAll(keys);
  }

  @Test
  void showsWhatHoldsWithoutAKey() throws Exception {
    Config shown = ConfigReader.parse(everything(), "weir.toml", Map.of());
    Config standard = ConfigReader.parse("", "weir.toml", Map.of());

    assertThat(sections()).hasSize(10);
    for (RecordComponent section : sections()) {
      assertThat(section.getAccessor().invoke(shown))
          .as(section.getName())
          .isEqualTo(section.getAccessor().invoke(standard));
    }
  }
}
