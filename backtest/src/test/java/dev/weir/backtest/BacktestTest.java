package dev.weir.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.backtest.BacktestReport.Before;
import dev.weir.backtest.BacktestReport.ClientRow;
import dev.weir.backtest.BacktestReport.EndpointRow;
import dev.weir.backtest.BacktestReport.RuleRow;
import dev.weir.policy.Address;
import dev.weir.policy.Cause;
import dev.weir.policy.Client;
import dev.weir.policy.Outcome;
import dev.weir.policy.Request;
import dev.weir.policy.config.Config;
import dev.weir.policy.config.ConfigReader;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BacktestTest {
  private static final long START = 1_800_000_000_000_000L;
  private static final Tally NONE = new Tally(0, 0, 0);

  private static Config config(String toml) {
    return ConfigReader.parse(toml, "test.toml", Map.of());
  }

  private static Config perMinute(int limit) {
    return config("[default]\nlimit = %d\nwindow = \"60s\"\n".formatted(limit));
  }

  private static Request request(String user, String path) {
    return Request.of("GET", path, Client.at(Address.parse("203.0.113.7"), 64).withUser(user));
  }

  private static LoggedRequest at(long second, String user) {
    return LoggedRequest.of(START + second * 1_000_000, request(user, "/"));
  }

  private static LoggedRequest recorded(
      long second, String user, Outcome outcome, Cause cause, @Nullable String rule) {
    return new LoggedRequest(START + second * 1_000_000, request(user, "/"), outcome, cause, rule);
  }

  private static BacktestReport report(Backtest backtest, LoggedRequest... requests) {
    for (LoggedRequest each : requests) {
      backtest.accept(each);
    }
    return backtest.report(new LogCounts(requests.length, requests.length, 0, 0, 0, 0, List.of()));
  }

  @Test
  void withoutABeforeItSaysOnlyWhatHappensNow() {
    BacktestReport report =
        report(Backtest.of(perMinute(1), 10), at(0, "a"), at(0, "a"), at(0, "b"), at(61, "a"));

    assertThat(report.before()).isEqualTo(new Before.Nothing());
    assertThat(report.totals()).isEqualTo(new Comparison(new Tally(3, 1, 0), NONE, 0, 0));
    assertThat(report.from()).isEqualTo(Instant.ofEpochSecond(1_800_000_000));
    assertThat(report.to()).isEqualTo(Instant.ofEpochSecond(1_800_000_061));
    assertThat(report.rules())
        .containsExactly(new RuleRow("default", new Comparison(new Tally(3, 1, 0), NONE, 0, 0), 0));
    assertThat(report.endpoints())
        .containsExactly(new EndpointRow("*", new Comparison(new Tally(3, 1, 0), NONE, 0, 0)));
    assertThat(report.refused()).containsExactly(new ClientRow("user:a", 3, 1, 0, 0, 0));
    assertThat(report.hurt()).isEmpty();
    assertThat(report.warnings()).isEmpty();
  }

  @Test
  void comparesTwoPoliciesOnTheSameRequests() {
    Config stricter =
        config(
            """
            [default]
            limit = 1
            window = "60s"
            [[rule]]
            name = "closed"
            match = { user = "c" }
            action = "block"
            """);
    Config before =
        config(
            """
            [default]
            limit = 2
            window = "60s"
            [[rule]]
            name = "gone"
            match = { user = "b" }
            action = "block"
            """);
    BacktestReport report =
        report(
            Backtest.of(stricter, before, 10),
            at(0, "a"),
            at(1, "a"),
            at(2, "a"),
            at(3, "b"),
            at(4, "c"));

    assertThat(report.before()).isInstanceOf(Before.Policy.class);
    assertThat(report.totals())
        .isEqualTo(new Comparison(new Tally(2, 2, 1), new Tally(3, 1, 1), 2, 1));
    assertThat(report.rules())
        .containsExactly(
            new RuleRow("default", new Comparison(new Tally(2, 2, 0), new Tally(3, 1, 0), 1, 0), 0),
            new RuleRow("closed", new Comparison(new Tally(0, 0, 1), NONE, 1, 0), 0),
            new RuleRow("gone", new Comparison(NONE, new Tally(0, 0, 1), 0, 1), 0));
    assertThat(report.hurt())
        .containsExactly(
            new ClientRow("user:a", 3, 2, 1, 0, 0), new ClientRow("user:c", 1, 1, 1, 0, 0));
  }

  @Test
  void withoutAnotherPolicyTheLogIsTheBefore() {
    BacktestReport report =
        report(
            Backtest.of(perMinute(1), 10),
            recorded(0, "a", Outcome.ALLOWED, Cause.WITHIN_LIMITS, "default"),
            recorded(1, "a", Outcome.ALLOWED, Cause.WITHIN_LIMITS, "default"),
            recorded(70, "a", Outcome.THROTTLED, Cause.PENALTY, "default"));

    assertThat(report.before()).isEqualTo(new Before.Log());
    assertThat(report.totals())
        .isEqualTo(new Comparison(new Tally(2, 1, 0), new Tally(2, 1, 0), 1, 1));
  }

  @Test
  void whatListsDecidedStaysAndCountsAgainstNoLimit() {
    BacktestReport report =
        report(
            Backtest.of(perMinute(1), 10),
            recorded(0, "a", Outcome.BLOCKED, Cause.BLOCKED_CLIENT, null),
            recorded(1, "a", Outcome.ALLOWED, Cause.EXEMPT, null),
            recorded(2, "a", Outcome.ALLOWED, Cause.WITHIN_LIMITS, "default"));

    assertThat(report.decidedByLists()).isEqualTo(2);
    assertThat(report.totals().after()).isEqualTo(new Tally(2, 0, 1));
    assertThat(report.rules())
        .extracting(RuleRow::rule)
        .containsExactly("(blocked_client)", "(exempt)", "default");
  }

  @Test
  void whoWasExemptByTheOldPolicyIsDecidedAnew() {
    Config before = config("[default]\nlimit = 1\nwindow = \"60s\"\n[[exempt]]\nuser = \"a\"\n");
    BacktestReport report =
        report(
            Backtest.of(perMinute(1), before, 10),
            recorded(0, "a", Outcome.ALLOWED, Cause.EXEMPT, null),
            recorded(0, "a", Outcome.ALLOWED, Cause.EXEMPT, null));

    assertThat(report.decidedByLists()).isZero();
    assertThat(report.totals().newlyRefused()).isEqualTo(1);
  }

  @Test
  void warnsWhenALogOfWeirHasNoAllowedRequests() {
    assertThat(
            report(
                    Backtest.of(perMinute(1), 10),
                    recorded(0, "a", Outcome.THROTTLED, Cause.LIMIT_EXCEEDED, "default"))
                .warnings())
        .containsExactly(
            "the log has no allowed request, so limits see far less than in life; add \"allowed\""
                + " to events.log or audit.decisions");
  }

  @Test
  void rulesInShadowModeAreCountedWithWhatTheyWouldRefuse() {
    Config shadow =
        config(
            """
            [[rule]]
            name = "stricter"
            limits = ["1/m"]
            mode = "shadow"
            """);
    BacktestReport report = report(Backtest.of(shadow, 10), at(0, "a"), at(1, "a"), at(2, "a"));

    assertThat(report.totals().after()).isEqualTo(new Tally(3, 0, 0));
    assertThat(report.rules())
        .contains(new RuleRow("stricter", new Comparison(NONE, NONE, 0, 0), 2));
  }

  @Test
  void networksOfIpv6AreCutAsEachPolicySays() {
    Config wide = config("[client]\nipv6_prefix = 48\n[default]\nlimit = 1\nwindow = \"60s\"\n");
    Config narrow = config("[client]\nipv6_prefix = 64\n[default]\nlimit = 1\nwindow = \"60s\"\n");
    Backtest backtest = Backtest.of(wide, narrow, 10);
    for (String address : List.of("2001:db8:0:1::1", "2001:db8:0:2::1")) {
      backtest.accept(
          LoggedRequest.of(START, Request.of("GET", "/", Client.at(Address.parse(address), 48))));
    }

    assertThat(backtest.report(LogCounts.NONE).totals())
        .isEqualTo(new Comparison(new Tally(1, 1, 0), new Tally(2, 0, 0), 1, 0));
  }

  @Test
  void theReportIsJson() throws IOException {
    BacktestReport report =
        report(Backtest.of(perMinute(1), perMinute(2), 10), at(0, "a\"\n"), at(1, "a\"\n"));
    JsonNode json = new ObjectMapper().readTree(report.toJson());

    assertThat(json.get("compared_with").asText()).isEqualTo("policy");
    assertThat(json.get("from").asText()).isEqualTo("2027-01-15T08:00:00Z");
    assertThat(json.get("after"))
        .hasToString("{\"requests\":2,\"allowed\":1,\"throttled\":1,\"blocked\":0}");
    assertThat(json.get("newly_refused").asInt()).isEqualTo(1);
    assertThat(json.get("hurt_clients").get(0).get("client").asText()).isEqualTo("user:a\"\n");
    assertThat(json.get("timeline")).hasSize(2);
    assertThat(json.get("step_ms").asLong()).isEqualTo(1_000);
    assertThat(json.get("log").get("lines").asInt()).isEqualTo(2);
  }

  @Test
  void nothingIsAReportToo() throws IOException {
    BacktestReport report = report(Backtest.of(perMinute(1), 10));

    assertThat(report.from()).isNull();
    assertThat(report.timeline().steps()).isEmpty();
    assertThat(new ObjectMapper().readTree(report.toJson()).has("from")).isFalse();
  }
}
