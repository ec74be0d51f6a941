package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the whole table on the model, over real gRPC: the table says nothing that does not follow
 * from the facts, and every mistake of a server that we can think of is noticed.
 */
class ModelTest {
  static final Path TABLE = Path.of("../docs/conformance/envoy-rls");

  private static final Suite SUITE = Suite.read(TABLE);

  /** Not the start of any window. */
  private static final long SOME_DAY = 1_790_000_123;

  static Stream<String> profiles() {
    return SUITE.profiles().keySet().stream();
  }

  static Set<String> settings(String profile) {
    return profile.equals(Case.DEFAULT_PROFILE) ? Set.of() : Set.of(profile.split("\\+"));
  }

  @ParameterizedTest
  @MethodSource("profiles")
  void theModelPassesEveryCase(String profile, @TempDir Path temp) throws IOException {
    Report report = run(profile, "*", Bug.NONE, temp);

    assertThat(report.outcomes())
        .as(report.toString())
        .allMatch(outcome -> outcome.verdict() == Report.Verdict.PASSED);
    assertThat(SUITE.profiles()).containsEntry(profile, report.outcomes().size());
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void everyBugIsFound(Bug bug, @TempDir Path temp) throws IOException {
    String profile = profileOf(bug.finder());

    Report wrong = run(profile, bug.finder(), bug, temp);
    Report right = run(profile, bug.finder(), Bug.NONE, temp);

    assertThat(wrong.summary()).isEqualTo("0 passed, 1 failed, 0 skipped");
    assertThat(right.summary()).isEqualTo("1 passed, 0 failed, 0 skipped");
  }

  private static String profileOf(String title) {
    return SUITE.cases().stream()
        .filter(each -> each.title().equals(title))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no case has the title " + title))
        .profile();
  }

  @Test
  void theModelPassesWithoutAReloader(@TempDir Path temp) throws IOException {
    ManualClock clock = new ManualClock(SOME_DAY);
    Path folder = temp.resolve("config");
    try (ModelServer server = new ModelServer(folder, Set.of(), clock, Bug.NONE)) {
      Report report =
          SUITE.run(
              Run.on(server.target(), folder).clock(clock).settle(Duration.ZERO).only("reload/*"));

      assertThat(report.failures()).as(report.toString()).isEmpty();
      assertThat(report.count(Report.Verdict.PASSED)).isGreaterThan(10);
    }
  }

  private static Report run(String profile, String only, Bug bug, Path temp) throws IOException {
    ManualClock clock = new ManualClock(SOME_DAY);
    Path folder = temp.resolve("config");
    // A server without a configuration must find its wrong file when it starts.
    SUITE.writeConfigs(Run.on("", folder).profile(profile).only(only));
    try (ModelServer server = new ModelServer(folder, settings(profile), clock, bug)) {
      return SUITE.run(
          Run.on(server.target(), folder)
              .profile(profile)
              .only(only)
              .clock(clock)
              .stats(server.stats())
              .reloader(server::reload)
              .patience(Duration.ofMillis(bug == Bug.NONE ? 5_000 : 200)));
    }
  }

  @Test
  void everySettingIsKnown() {
    List<String> known =
        List.of(
            "shadow_mode",
            "quota_mode",
            "response_headers",
            "header_names",
            "dynamic_metadata",
            "merge_domains",
            "stop_when_over",
            "no_config");

    assertThat(SUITE.cases()).allSatisfy(each -> assertThat(known).containsAll(each.settings()));
  }
}
