package dev.weir.control.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whatever is written to columns comes back as it was. */
class ColumnsPropertyTest {
  private static final Limit DEFAULT = Limit.parse("100/m");

  private static Map<String, @Nullable Object> columns(EntryKind kind, Object part) {
    return kind.columns().of(part, Map.of("limit", ""));
  }

  /** As a row, and back. */
  private static Entry entry(EntryKind kind, String name, Object part) {
    return new Entry(kind, name, kind.columns().document(columns(kind, part)), null);
  }

  @Test
  void randomRulesTiersAndEndpointsComeBackEqual() {
    RandomParts random = new RandomParts(42);
    List<Entry> entries = new ArrayList<>();
    Map<String, Object> parts = new LinkedHashMap<>();
    for (int i = 0; i < 1_000; i++) {
      var rule = random.rule();
      entries.add(entry(EntryKind.RULE, rule.name(), rule));
      parts.put("rule:" + rule.name(), rule);
      var tier = random.tier();
      entries.add(entry(EntryKind.TIER, tier.name(), tier));
      parts.put("tier:" + tier.name(), tier);
      var endpoint = random.endpoint();
      entries.add(entry(EntryKind.ENDPOINT, endpoint.name(), endpoint));
      parts.put("endpoint:" + endpoint.name(), endpoint);
    }
    EntryReader reader = new EntryReader();
    assertThat(reader.read(entries, DEFAULT)).isEqualTo(parts);
    assertThat(reader.read(entries, DEFAULT)).isEqualTo(parts);
  }

  private static Map<String, @Nullable Object> limits(String... texts) {
    Map<String, @Nullable Object> columns = new LinkedHashMap<>();
    RuleLimits.put(columns, List.of(texts).stream().map(Limit::parse).toList());
    columns.values().removeIf(value -> value == null || value.equals(List.of()));
    return columns;
  }

  @Test
  void limitsThatCountAlikeAreNumbers() {
    assertThat(limits("10/s", "100/m", "5/d"))
        .containsOnly(
            Map.entry("requests_per_second", 10L),
            Map.entry("requests_per_minute", 100L),
            Map.entry("requests_per_day", 5L),
            Map.entry("algorithm", "token_bucket"));
    assertThat(limits("1000/h burst 20"))
        .containsOnly(
            Map.entry("requests_per_hour", 1_000L),
            Map.entry("burst_size", 20L),
            Map.entry("algorithm", "token_bucket"));
    assertThat(limits("100/60s sliding_window"))
        .containsOnly(
            Map.entry("requests_per_minute", 100L), Map.entry("algorithm", "sliding_window"));
  }

  @Test
  void otherLimitsAreTextsAllOfThem() {
    for (String[] texts :
        new String[][] {
          {"100/m", "10/s"},
          {"10/s", "100/m burst 5"},
          {"10/s", "9/m sliding_window"},
          {"10/s", "20/s"},
          {"2/10m"}
        }) {
      assertThat(limits(texts))
          .containsOnly(
              Map.entry("limits", List.of(texts)), Map.entry("algorithm", "token_bucket"));
    }
  }

  @Test
  void oneValueOfAConditionIsInItsColumnAndTheRestIsBesides() {
    var rule =
        EntryReader.readNew(
                List.of(
                    new Entry(
                        EntryKind.RULE,
                        "a",
                        Map.of(
                            "name",
                            "a",
                            "action",
                            "block",
                            "match",
                            Map.of(
                                "tier", List.of("pro", "free"),
                                "ip", "10.1.2.3",
                                "path", List.of("/b", "/a"),
                                "user", "alice",
                                "header", Map.of("Host", "Example.org"))),
                        null)),
                DEFAULT)
            .get("rule:a");
    assertThat(columns(EntryKind.RULE, Objects.requireNonNull(rule)))
        .containsEntry("user_tier", "free")
        .containsEntry("endpoint_pattern", "/b")
        .containsEntry("http_method", null)
        .containsEntry("ip_range", "10.1.2.3/32")
        .containsEntry(
            "match_more",
            "{\"tier\": [\"pro\"], \"path\": [\"/a\"], \"user\": [\"alice\"],"
                + " \"header\": {\"host\": [\"example.org\"]}}");
  }
}
