package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.weir.Limit;
import dev.weir.envoy.api.RateLimitResponse.RateLimit;
import dev.weir.policy.config.ConfigException;
import dev.weir.testkit.TestLevel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvoyConfigReaderTest {
  @TempDir private Path folder = Path.of("");

  private static EnvoyConfig parse(String yaml) {
    return EnvoyConfigReader.parse(Map.of("rules.yaml", yaml), false, new EnvoyStats());
  }

  /** The rule for one entry in the domain {@code edge}. */
  private static Rule rule(String yaml, String key, String value) {
    Domain domain = Objects.requireNonNull(parse(yaml).domain("edge"));
    return Objects.requireNonNull(domain.match(Requests.descriptor(key, value))).rule();
  }

  private static Rule limit(String rateLimit) {
    return rule("{domain: edge, descriptors: [{key: k, rate_limit: " + rateLimit + "}]}", "k", "v");
  }

  @Test
  void everyKeyIsRead() {
    Rule rule =
        rule(
            """
            domain: edge
            descriptors:
              - key: path
                value: /api/*
                shadow_mode: true
                quota_mode: true
                detailed_metric: true
                value_to_metric: true
                share_threshold: true
                metadata: {team: core}
                rate_limit:
                  unit: minute
                  requests_per_unit: 7
                  unlimited: false
                  name: api
                  replaces:
                    - name: slow
                    - name: slower
            """,
            "path",
            "/api/v1");

    assertThat(rule.isShadow()).isTrue();
    assertThat(rule.isQuota()).isTrue();
    assertThat(rule.isUnlimited()).isFalse();
    assertThat(rule.name()).isEqualTo("api");
    assertThat(rule.replaces()).containsExactly("slow", "slower");
    assertThat(rule.current())
        .isEqualTo(
            RateLimit.newBuilder()
                .setRequestsPerUnit(7)
                .setUnit(RateLimit.Unit.MINUTE)
                .setName("api")
                .build());
    assertThat(rule.metadata())
        .isEqualTo(
            Struct.newBuilder()
                .putFields("team", Value.newBuilder().setStringValue("core").build())
                .build());
    assertThat(rule.counter()).isEqualTo("envoy:edge:path_/api/*");
  }

  @ParameterizedTest
  @CsvSource({
    "second, SECOND, 1",
    "Minute, MINUTE, 60",
    "HOUR, HOUR, 3600",
    "day, DAY, 86400",
    "week, WEEK, 604800",
    "month, MONTH, 2592000",
    "year, YEAR, 31536000",
  })
  void unitsAreSpans(String unit, RateLimit.Unit told, long seconds) {
    Rule rule = limit("{unit: " + unit + ", requests_per_unit: 5}");

    assertThat(rule.current().getUnit()).isEqualTo(told);
    assertThat(Objects.requireNonNull(rule.limit()).own())
        .isEqualTo(Limit.fixedWindow(5, Duration.ofSeconds(seconds)));
    assertThat(rule.limit().counting())
        .isEqualTo(Limit.fixedWindow(Limit.MAX_PERMITS, Duration.ofSeconds(seconds)));
  }

  @ParameterizedTest
  @CsvSource({
    "'{period: 30s, requests_per_unit: 5}', 5/30s fixed_window, UNKNOWN",
    "'{period: 90, requests_per_unit: 5}', 5/90s fixed_window, UNKNOWN",
    "'{period: 60s, requests_per_unit: 5}', 5/60s fixed_window, MINUTE",
    "'{period: 250ms, requests_per_unit: 5}', 5/250ms fixed_window, UNKNOWN",
    "'{unit: hour, requests_per_unit: 5, algorithm: token_bucket}', 5/h, HOUR",
    "'{unit: hour, requests_per_unit: 5, algorithm: token_bucket, burst: 9}', 5/h burst 9, HOUR",
    "'{period: 10m, requests_per_unit: 5, algorithm: sliding_window}', 5/10m sliding_window, UNKNOWN",
    "'{unit: day, requests_per_unit: 5, algorithm: sliding_log}', 5/24h sliding_log, DAY",
    "'{unit: minute, requests_per_unit: 5, algorithm: fixed_window}', 5/60s fixed_window, MINUTE",
  })
  void weirsOwnKeysAreRead(String rateLimit, String limit, RateLimit.Unit unit) {
    Rule rule = limit(rateLimit);

    assertThat(Objects.requireNonNull(rule.limit()).own()).isEqualTo(Limit.parse(limit));
    assertThat(rule.limit().countsOn()).isEqualTo(!rateLimit.contains("algorithm"));
    assertThat(rule.current().getUnit()).isEqualTo(unit);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "4294967295, 4294967295", "1_000, 1000", "0x10, 16"})
  void requestsAreWholeNumbers(String text, long permits) {
    Rule rule = limit("{unit: hour, requests_per_unit: " + text + "}");

    assertThat(Integer.toUnsignedLong(rule.current().getRequestsPerUnit())).isEqualTo(permits);
    assertThat(rule.limit() == null ? 0 : rule.limit().capacity()).isEqualTo(permits);
  }

  @Test
  void aLimitWithoutRequestsLetsNothingPass() {
    assertThat(limit("{unit: hour}").limit()).isNull();
    assertThat(limit("{unit: hour}").isUnlimited()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "yes", "on", "True", "Y"})
  void truthIsWrittenAsInOldYaml(String text) {
    assertThat(limit("{unlimited: " + text + "}").isUnlimited()).isTrue();
  }

  @Test
  void valuesThatLookLikeNumbersAreTexts() {
    String yaml =
        """
        domain: edge
        descriptors:
          - {key: code, value: 404, rate_limit: {unlimited: true}}
          - {key: code, value: true, rate_limit: {unlimited: true}}
          - {key: code, value: 1.50, rate_limit: {unlimited: true}}
        """;

    assertThat(rule(yaml, "code", "404").isUnlimited()).isTrue();
    assertThat(rule(yaml, "code", "true").isUnlimited()).isTrue();
    assertThat(rule(yaml, "code", "1.50").isUnlimited()).isTrue();
  }

  @Test
  void aliasesAndMergesAreFollowed() {
    String yaml =
        """
        domain: edge
        descriptors:
          - key: a
            rate_limit: &slow
              unit: minute
              requests_per_unit: 5
          - key: b
            rate_limit: *slow
          - key: c
            rate_limit:
              <<: *slow
              requests_per_unit: 6
        """;

    assertThat(rule(yaml, "b", "x").current().getRequestsPerUnit()).isEqualTo(5);
    assertThat(rule(yaml, "c", "x").current().getRequestsPerUnit()).isEqualTo(6);
    assertThat(rule(yaml, "c", "x").current().getUnit()).isEqualTo(RateLimit.Unit.MINUTE);
  }

  @Test
  void metadataIsWhateverJsonCanSay() {
    Rule rule =
        rule(
            """
            domain: edge
            descriptors:
              - key: k
                metadata: {n: 1.5, i: 0x10, t: yes, s: "yes", z: ~, l: [1, {a: b}], 5: five}
                rate_limit: {unit: hour, requests_per_unit: 1}
            """,
            "k",
            "v");

    Value one = Value.newBuilder().setNumberValue(1).build();
    Value map =
        Value.newBuilder()
            .setStructValue(
                Struct.newBuilder().putFields("a", Value.newBuilder().setStringValue("b").build()))
            .build();
    assertThat(Objects.requireNonNull(rule.metadata()).getFieldsMap())
        .isEqualTo(
            Map.of(
                "n", Value.newBuilder().setNumberValue(1.5).build(),
                "i", Value.newBuilder().setNumberValue(16).build(),
                "t", Value.newBuilder().setBoolValue(true).build(),
                "s", Value.newBuilder().setStringValue("yes").build(),
                "z", Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build(),
                "l",
                    Value.newBuilder()
                        .setListValue(ListValue.newBuilder().addValues(one).addValues(map))
                        .build(),
                "5", Value.newBuilder().setStringValue("five").build()));
  }

  @Test
  void severalFilesAreAboutOneDomainOnlyIfTheyMay() {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("a.yaml", "{domain: edge, descriptors: [{key: a, rate_limit: {unlimited: true}}]}");
    files.put("b.yaml", "{domain: edge, descriptors: [{key: b, rate_limit: {unlimited: true}}]}");

    Domain merged =
        Objects.requireNonNull(
            EnvoyConfigReader.parse(files, true, new EnvoyStats()).domain("edge"));
    assertThat(merged.match(Requests.descriptor("a", ""))).isNotNull();
    assertThat(merged.match(Requests.descriptor("b", ""))).isNotNull();
    assertThatThrownBy(() -> EnvoyConfigReader.parse(files, false, new EnvoyStats()))
        .hasMessage("b.yaml:1:10: duplicate domain 'edge' in config file");
    files.put("c.yaml", "{domain: edge, descriptors: [{key: a}]}");
    assertThatThrownBy(() -> EnvoyConfigReader.parse(files, true, new EnvoyStats()))
        .hasMessage("c.yaml:1:36: duplicate descriptor composite key 'edge.a'");
  }

  @Test
  void filesOfAFolderAreReadUnlessTheirNamesAreOthers() throws IOException {
    Files.writeString(folder.resolve("a.yaml"), "\uFEFFdomain: a\n");
    Files.writeString(folder.resolve("b.yml"), "domain: b\n");
    Files.writeString(folder.resolve(".c.yaml"), "domain: c\n");
    Files.writeString(folder.resolve("d.yaml.bak"), "domain: d\n");
    Files.createDirectory(folder.resolve("e.yaml"));

    assertThat(EnvoyConfigReader.read(folder, false, new EnvoyStats()).domains())
        .containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void whatCannotBeReadIsSaid() throws IOException {
    Path missing = folder.resolve("missing");
    assertThatThrownBy(() -> EnvoyConfigReader.read(missing, false, new EnvoyStats()))
        .hasMessage(missing + ": there is no such folder");
    Path file = Files.write(folder.resolve("a.yaml"), new byte[] {'d', (byte) 0xC3, '('});
    assertThatThrownBy(() -> EnvoyConfigReader.read(folder, false, new EnvoyStats()))
        .hasMessage(file + ": must be valid UTF-8");
    assertThatThrownBy(() -> EnvoyConfigReader.read(file, false, new EnvoyStats()))
        .hasMessage(file + ": must be a folder");
    Files.write(file, new byte[EnvoyConfigReader.LARGEST_FILE + 1]);
    assertThatThrownBy(() -> EnvoyConfigReader.read(folder, false, new EnvoyStats()))
        .hasMessage(file + ": must be at most 16 MiB large");
  }

  private static void assertRefused(String yaml, String message) {
    assertThatThrownBy(() -> parse(yaml))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  @DisplayName("T73: a billion laughs are refused")
  void aBillionLaughsAreRefused() {
    StringBuilder laughs = new StringBuilder("domain: edge\ndescriptors:\n");
    laughs.append("  - key: a\n    metadata: {l0: &l0 [lol, lol, lol, lol, lol, lol, lol, lol]");
    for (int i = 1; i < 10; i++) {
      String alias = "*l" + (i - 1);
      laughs.append(", l%d: &l%d [%s]".formatted(i, i, (alias + ", ").repeat(8) + alias));
    }
    laughs.append("}\n");

    assertRefused(laughs.toString(), "must have at most 1000000 values");
  }

  @Test
  @DisplayName("T73: a billion descriptors are refused")
  void aBillionDescriptorsAreRefused() {
    StringBuilder laughs = new StringBuilder("domain: edge\ndescriptors:\n");
    String below = "";
    for (int i = 0; i < 8; i++) {
      laughs.append("  - key: l%d\n    descriptors: &l%d\n".formatted(i, i));
      for (int j = 0; j < 12; j++) {
        laughs.append("      - {key: k%d%s}\n".formatted(j, below));
      }
      below = ", descriptors: *l" + i;
    }

    assertRefused(laughs.toString(), "must have at most 1000000 values");
  }

  @Test
  void mapsThatMergeThemselvesAreRefused() {
    assertRefused("&a {domain: edge, <<: *a}", "<< must be a map or a list of maps, got a map");
    assertRefused("&a {domain: edge, <<: [*a, *a, *a]}", "must have at most 1000000 values");
  }

  @Test
  void depthIsBounded() {
    assertRefused(
        "domain: edge\ndescriptors: " + "[".repeat(100_000),
        "must not be nested deeper than 100 levels");
    assertRefused(
        "domain: edge\ndescriptors:\n  - key: a\n    metadata: {a: "
            + "[".repeat(40)
            + "]".repeat(40)
            + "}\n",
        "metadata must not be nested deeper than 32 levels");
  }

  @Test
  void noTextBreaksTheReader() {
    String right =
        """
        domain: edge
        descriptors:
          - key: path
            value: /api/*
            share_threshold: true
            metadata: {a: [1, 2]}
            rate_limit: &a {unit: minute, requests_per_unit: 7, replaces: [{name: b}]}
            descriptors:
              - key: user
                rate_limit: *a
        """;
    Random random = new Random(7);
    int wrong = 0;
    int texts = TestLevel.amount("weir.envoy.texts", 1_000, 5_000);
    for (int i = 0; i < texts; i++) {
      StringBuilder text = new StringBuilder(right);
      for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(3)) {
          case 0 -> text.deleteCharAt(at);
          case 1 ->
              text.setCharAt(
                  at, "*&{}[]:-#\n \"'|>%@`,?!~\t\u0085\u2028\uD800".charAt(random.nextInt(26)));
          default -> text.insert(at, text.substring(at, Math.min(text.length(), at + 9)));
        }
      }
      try {
        parse(text.toString());
      } catch (ConfigException said) {
        wrong++;
      }
    }
    assertThat(wrong).isBetween(texts / 5, texts);
  }

  @Test
  void aLargeFileIsReadSoon() {
    StringBuilder text = new StringBuilder("domain: edge\ndescriptors:\n");
    for (int i = 0; i < 20_000; i++) {
      text.append("  - {key: user, value: u").append(i);
      text.append(", rate_limit: {unit: minute, requests_per_unit: 7}}\n");
    }

    assertThat(rule(text.toString(), "user", "u19999").counter())
        .isEqualTo("envoy:edge:user_u19999");
    assertThat(text.toString().getBytes(StandardCharsets.UTF_8)).hasSizeGreaterThan(1_000_000);
  }
}
