package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.envoy.api.RateLimitDescriptor;
import dev.weir.envoy.api.RateLimitUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which rule holds for which descriptor, whom it is counted for, and under which name. */
class EnvoyConfigTest {
  private static final String RULES =
      """
      domain: edge
      descriptors:
        - key: user
          rate_limit: {unit: minute, requests_per_unit: 1}
        - key: user
          value: alice
          rate_limit: {unit: minute, requests_per_unit: 2}
        - key: user
          value: bob
        - key: path
          value: /api/*
          rate_limit: {unit: minute, requests_per_unit: 3}
        - key: path
          value: /api/v1/*
          rate_limit: {unit: minute, requests_per_unit: 4}
        - key: path
          value: "*.png"
          rate_limit: {unit: minute, requests_per_unit: 5}
        - key: path
          value: /exact
          descriptors:
            - key: method
              value: GET
              rate_limit: {unit: minute, requests_per_unit: 6}
        - key: path
          descriptors:
            - key: method
              rate_limit: {unit: minute, requests_per_unit: 7}
            - key: method
              value: P*
              descriptors:
                - key: user
                  rate_limit: {unit: minute, requests_per_unit: 8}
        - key: both
          rate_limit: {unit: minute, requests_per_unit: 9}
          descriptors:
            - key: below
              rate_limit: {unit: minute, requests_per_unit: 10}
        - key: a_b
          rate_limit: {unit: minute, requests_per_unit: 11}
        - key: x*
          rate_limit: {unit: minute, requests_per_unit: 12}
      """;

  private static Domain domain(String yaml, EnvoyStats stats) {
    EnvoyConfig config = EnvoyConfigReader.parse(Map.of("rules.yaml", yaml), false, stats);
    return Objects.requireNonNull(config.domain("edge"));
  }

  private static Domain.@Nullable Match match(String yaml, String... keysAndValues) {
    return domain(yaml, new EnvoyStats()).match(Requests.descriptor(keysAndValues));
  }

  @ParameterizedTest
  @CsvSource({
    // Of key and value, else of the key alone.
    "user=alice, 2",
    "user=carol, 1",
    "user=, 1",
    "nobody=x, 0",
    // A node without a limit lets pass.
    "user=bob, 0",
    // The first pattern in the file, and before the key alone.
    "path=/api/v1/x, 3",
    "path=/api/x.png, 3",
    "path=/x.png, 5",
    // As deep as the descriptor has entries, neither more nor less.
    "user=alice user=alice, 0",
    "both=x, 9",
    "both=x below=y, 10",
    "both=x below=y below=z, 0",
    "path=/other, 0",
    "path=/other method=GET, 7",
    "path=/other method=PUT, 0",
    "path=/other method=PUT user=x, 8",
    "path=/other method=GET user=x, 0",
    // What is found stays: /exact has no POST, so nothing holds for it.
    "path=/exact method=GET, 6",
    "path=/exact method=POST, 0",
    "path=/api/x method=GET, 0",
    // Keys and values are one text.
    "a=b, 11",
    "a_b=, 11",
    "a_b=c, 11",
    "xylophone=y, 12",
    "x=, 12",
  })
  void findsTheRule(String entries, int requests) {
    Domain.Match match = match(RULES, keysAndValues(entries));

    assertThat(match == null ? 0 : match.rule().current().getRequestsPerUnit()).isEqualTo(requests);
  }

  private static String[] keysAndValues(String entries) {
    return List.of(entries.split(" ", -1)).stream()
        .flatMap(entry -> List.of(entry.split("=", -1)).stream())
        .toArray(String[]::new);
  }

  @Test
  void aDescriptorWithoutEntriesHasNoRule() {
    assertThat(match(RULES)).isNull();
  }

  @Test
  void eachValueHasItsCounter() {
    assertThat(key("user", "carol")).isEqualTo("5:carol");
    assertThat(key("path", "/a", "method", "GET")).isEqualTo("2:/a3:GET");
    assertThat(key("path", "/api/x")).isEqualTo("6:/api/x");
  }

  private static String key(String... keysAndValues) {
    return Objects.requireNonNull(match(RULES, keysAndValues)).key();
  }

  @Test
  void noTwoDescriptorsShareACounterByCleverSpelling() {
    List<RateLimitDescriptor> others =
        List.of(
            Requests.descriptor("a", "b"),
            Requests.descriptor("a_b", ""),
            Requests.descriptor("a_b", "b"),
            Requests.descriptor("xa", "1:b"),
            Requests.descriptor("xa1", ":b"),
            Requests.descriptor("x", "a1:b"),
            Requests.descriptor("path", "1", "method", "1:1"),
            Requests.descriptor("path", "11:1", "method", ""),
            Requests.descriptor("path", "", "method", "1:11"),
            Requests.descriptor("path", "13", "method", "a:b"),
            Requests.descriptor("path", "1", "method", "3a:b"));
    Domain domain = domain(RULES, new EnvoyStats());
    Set<String> seen = new HashSet<>();
    for (RateLimitDescriptor other : others) {
      Domain.Match match = Objects.requireNonNull(domain.match(other));
      assertThat(seen.add(match.rule().counter() + "|" + match.key())).as("%s", match).isTrue();
      Domain.Match override =
          Objects.requireNonNull(domain.override(Requests.override(5, RateLimitUnit.HOUR, other)));
      assertThat(seen.add(override.rule().counter() + "|" + override.key()))
          .as("%s", override)
          .isTrue();
    }
  }

  @Test
  void noTwoRulesShareAName() {
    String yaml =
        """
        domain: edge
        descriptors:
          - key: "a:b"
            rate_limit: &any {unit: minute, requests_per_unit: 1}
          - key: a
            descriptors:
              - {key: b, rate_limit: *any}
              - {key: "b\\\\", rate_limit: *any}
          - key: "a\\\\"
            descriptors:
              - {key: b, rate_limit: *any}
          - key: override
            descriptors:
              - {key: minute, rate_limit: *any}
        """;
    Domain domain = domain(yaml, new EnvoyStats());
    Set<String> names = new HashSet<>();
    for (String[] entries :
        List.of(
            new String[] {"a:b", ""},
            new String[] {"a", "", "b", ""},
            new String[] {"a", "", "b\\", ""},
            new String[] {"a\\", "", "b", ""},
            new String[] {"override", "", "minute", ""})) {
      Domain.Match match = Objects.requireNonNull(domain.match(Requests.descriptor(entries)));
      assertThat(names.add(match.rule().counter())).as(match.rule().counter()).isTrue();
    }
    RateLimitDescriptor any = Requests.descriptor("a", "b");
    assertThat(
            Objects.requireNonNull(domain.override(Requests.override(1, RateLimitUnit.MINUTE, any)))
                .rule()
                .counter())
        .isEqualTo("envoy:edge::override:minute")
        .isNotIn(names);
  }

  private static final String SHARED =
      """
      domain: edge
      descriptors:
        - key: files
          value: files/*
          share_threshold: true
          rate_limit: &any {unit: minute, requests_per_unit: 1}
        - key: route
          value: api/*
          share_threshold: true
          value_to_metric: true
          descriptors:
            - {key: method, rate_limit: *any}
            - {key: user, value_to_metric: true, rate_limit: *any}
            - {key: host, detailed_metric: true, rate_limit: *any}
        - key: "k*"
          share_threshold: true
          rate_limit: *any
        - key: plain
          value: p/*
          rate_limit: *any
        - key: told
          value: t/*
          value_to_metric: true
          rate_limit: *any
        - key: tenant
          value_to_metric: true
          descriptors:
            - {key: method, rate_limit: *any}
            - {key: method, value: GET, rate_limit: *any}
        - key: detailed
          descriptors:
            - {key: path, detailed_metric: true, rate_limit: *any}
      """;

  @ParameterizedTest
  @CsvSource({
    "files=files/a, files=files/b",
    "files=files/a, files=files/*",
    "route=api/a method=GET, route=api/b method=GET",
    "k1=a, k1=b",
  })
  void thoseWhoShareAThresholdHaveOneCounter(String one, String other) {
    assertThat(sharedKey(one)).isEqualTo(sharedKey(other));
  }

  @ParameterizedTest
  @CsvSource({
    "route=api/a method=GET, route=api/a method=PUT",
    "plain=p/a, plain=p/b",
    "k1=a, k2=a",
  })
  void othersHaveTheirOwn(String one, String other) {
    assertThat(sharedKey(one)).isNotEqualTo(sharedKey(other));
  }

  private static String sharedKey(String entries) {
    Domain.Match match = Objects.requireNonNull(match(SHARED, keysAndValues(entries)));
    return match.rule().counter() + "|" + match.key();
  }

  @ParameterizedTest
  @CsvSource({
    "files=files/a, edge.files_files/*",
    "plain=p/a, edge.plain_p/*",
    "told=t/a, edge.told_t/a",
    "tenant=acme method=PUT, edge.tenant_acme.method",
    "tenant=acme method=GET, edge.tenant_acme.method_GET",
    "tenant= method=GET, edge.tenant.method_GET",
    "route=api/a method=GET, edge.route_api/*.method",
    "route=api/a user=u, edge.route_api/*.user_u",
    "route=api/a host=h, edge.route_api/*.host_h",
    "detailed=d path=/p, edge.detailed_d.path_/p",
  })
  void statisticsHaveTheValuesThatRulesAskFor(String entries, String key) {
    Domain.Match match = Objects.requireNonNull(match(SHARED, keysAndValues(entries)));

    assertThat(match.stats().key()).isEqualTo(key);
  }

  @Test
  void statisticsOutliveAConfiguration() {
    EnvoyStats stats = new EnvoyStats();
    RateLimitDescriptor alice = Requests.descriptor("user", "alice");
    Domain.Match before = Objects.requireNonNull(domain(RULES, stats).match(alice));
    Domain.Match after = Objects.requireNonNull(domain(RULES, stats).match(alice));

    assertThat(after.stats()).isSameAs(before.stats());
  }

  @Test
  void manyRulesAreFoundByTheirKeys() {
    StringBuilder yaml = new StringBuilder("domain: edge\ndescriptors:\n");
    for (int i = 0; i < 3_000; i++) {
      // Two texts of each three have one hash code.
      String value = (i % 3 == 0 ? "Aa" : i % 3 == 1 ? "BB" : "C") + i / 3;
      yaml.append("  - {key: user, value: %s, rate_limit: ".formatted(value));
      yaml.append("{unit: hour, requests_per_unit: %d}}\n".formatted(i + 1));
    }
    Domain domain = domain(yaml.toString(), new EnvoyStats());
    for (int i = 0; i < 3_000; i++) {
      String value = (i % 3 == 0 ? "Aa" : i % 3 == 1 ? "BB" : "C") + i / 3;
      Domain.Match match = domain.match(Requests.descriptor("user", value));
      assertThat(Objects.requireNonNull(match).rule().current().getRequestsPerUnit())
          .isEqualTo(i + 1);
    }
    assertThat(domain.match(Requests.descriptor("user", "Aa"))).isNull();
  }
}
