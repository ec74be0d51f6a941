package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command, on servers that are right and on servers that are not. */
class ConformanceTest {
  private final Path folder;
  private final Path clockFile;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  ConformanceTest(@TempDir Path temp) throws IOException {
    folder = Files.createDirectory(temp.resolve("config"));
    clockFile = temp.resolve("clock");
  }

  /** As a server under test reads its clock. */
  private Clock clockInFile() {
    return new Clock() {
      @Override
      public long nowSeconds() {
        try {
          return Long.parseLong(Files.readString(clockFile).strip()) / 1_000_000;
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }

      @Override
      public void advanceTo(long seconds) {
        throw new UnsupportedOperationException("the server does not move its clock");
      }
    };
  }

  private int run(ModelServer server, String... more) {
    List<String> args = new ArrayList<>();
    args.addAll(List.of("--settle", "0"));
    args.addAll(List.of(more));
    return runTable(ModelTest.TABLE, server, args.toArray(new String[0]));
  }

  private int run(String... args) {
    return Conformance.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }

  private List<String> lines() {
    return out.toString().lines().toList();
  }

  @Test
  void printsALineForEachCaseAndASummary() throws IOException {
    try (ModelServer server = new ModelServer(folder, Set.of(), clockInFile(), Bug.NONE)) {
      int code = run(server, "--clock", clockFile.toString(), "--only", "windows/*");

      assertThat(out.toString()).endsWith("\n15 passed, 0 failed, 0 skipped\n");
      assertThat(lines()).hasSize(16).contains("ok       windows/month");
      assertThat(code).isZero();
    }
  }

  @Test
  void showsWhatAWrongServerSaid() throws IOException {
    Bug bug = Bug.OVER_AT_THE_LIMIT;
    try (ModelServer server = new ModelServer(folder, Set.of(), clockInFile(), bug)) {
      int code = run(server, "--clock", clockFile.toString(), "--only", "check-at-the-limit");

      assertThat(code).isEqualTo(1);
      assertThat(out.toString())
          .isEqualTo(
              """
              FAILED   check-only/check-at-the-limit
                  step 1 (at 0 s): domain check-at-the-limit, descriptors [(user=ann)], time 2 of 2
                    overall_code      expected OK, got OVER_LIMIT
                    statuses[0].code  expected OK, got OVER_LIMIT
                  why: over means more than the limit, so a check is OK when the limit is just used up
              0 passed, 1 failed, 0 skipped
              """);
    }
  }

  @Test
  void recordsATableThatAServerOfTheSameKindPasses(@TempDir Path table) throws IOException {
    Path recorded = table.resolve("random-quota-mode.yaml");
    Set<String> settings = Set.of("quota_mode");
    String[] clock = {"--clock", clockFile.toString(), "--profile", "quota_mode"};
    try (ModelServer server = new ModelServer(folder, settings, clockInFile(), Bug.NONE)) {
      List<String> args = new ArrayList<>(List.of(clock));
      args.addAll(List.of("--record", recorded.toString(), "--cases", "6", "--requests", "20"));

      assertThat(run(server, args.toArray(new String[0]))).isZero();
      assertThat(out).hasToString("120 requests recorded\n");
    }
    assertThat(recorded).content().contains("OVER_LIMIT", "settings: [quota_mode]");
    try (ModelServer server = new ModelServer(folder, settings, clockInFile(), Bug.NONE)) {
      assertThat(runTable(table, server, clock)).as(out.toString()).isZero();
      assertThat(out.toString()).endsWith("6 passed, 0 failed, 0 skipped\n");
    }
    Bug bug = Bug.OVER_AT_THE_LIMIT;
    try (ModelServer server = new ModelServer(folder, settings, clockInFile(), bug)) {
      assertThat(runTable(table, server, clock)).isEqualTo(1);
    }
  }

  private int runTable(Path table, ModelServer server, String... more) {
    List<String> args = new ArrayList<>(List.of("--target", server.target()));
    args.addAll(List.of("--config-dir", folder.toString(), "--table", table.toString()));
    args.addAll(List.of(more));
    return run(args.toArray(new String[0]));
  }

  @Test
  void theSameSeedGivesTheSameRequests() {
    assertThat(new RandomCases(5, "default").cases(3, 30))
        .isEqualTo(new RandomCases(5, "default").cases(3, 30))
        .isNotEqualTo(new RandomCases(6, "default").cases(3, 30));
  }

  @Test
  void aRecordingNeedsAClock() {
    int code = run("--target", "127.0.0.1:1", "--config-dir", "x", "--record", "y");

    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).contains("--record needs --clock FILE");
  }

  @Test
  void showsFilesThatWereTakenAlthoughWrong() throws IOException {
    Bug bug = Bug.WRONG_FILES_ARE_TAKEN;
    try (ModelServer server = new ModelServer(folder, Set.of(), clockInFile(), bug)) {
      int code = run(server, "--clock", clockFile.toString(), "--only", "config-no-unit");

      assertThat(code).isEqualTo(1);
      assertThat(out.toString())
          .contains(
              "step 2 (at 0 s): reload", "the server must keep what it has: expected generation")
          .contains("(expected mistake: invalid rate limit unit '')");
    }
  }

  @Test
  void runsOnAServerThatFindsNoConfiguration() throws IOException {
    Bug bug = Bug.NONE;
    try (ModelServer server = new ModelServer(folder, Set.of("no_config"), clockInFile(), bug)) {
      Files.writeString(folder.resolve("conformance-no-configuration.yaml"), "descriptors:\n");
      Report report =
          Suite.read(ModelTest.TABLE)
              .run(
                  Run.on(server.target(), folder)
                      .profile("no_config")
                      .clock(Clock.file(clockFile)));
      assertThat(report.failures()).as(report.toString()).isEmpty();
    }
  }

  @Test
  void skipsWhatTheServerDoesWithout() throws IOException {
    try (ModelServer server = new ModelServer(folder, Set.of(), clockInFile(), Bug.NONE)) {
      int code =
          run(
              server,
              "--clock",
              clockFile.toString(),
              "--only",
              "neg*",
              "--without",
              "negative_hits");

      assertThat(lines())
          .contains(
              "skipped  negative-hits/negative-zero: the server does without negative_hits",
              "0 passed, 0 failed, 12 skipped");
      assertThat(code).isZero();
    }
  }

  @Test
  void skipsWhatTakesLongOnTheRealClock() throws IOException {
    try (ModelServer server = new ModelServer(folder, Set.of(), Clock.real(), Bug.NONE)) {
      int code = run(server, "--only", "windows/*ay*");

      assertThat(lines())
          .containsExactly(
              "skipped  windows/day: it would take 86400 s on the real clock",
              "0 passed, 0 failed, 1 skipped");
      assertThat(code).isZero();
    }
  }

  @Test
  void runsOnTheRealClock() throws IOException {
    try (ModelServer server = new ModelServer(folder, Set.of(), Clock.real(), Bug.NONE)) {
      int code = run(server, "--only", "unlimited/*");

      assertThat(out.toString()).endsWith("7 passed, 0 failed, 0 skipped\n");
      assertThat(code).isZero();
    }
  }

  @Test
  void seesAWrongResetOnTheRealClock() throws IOException {
    Clock ahead =
        new Clock() {
          @Override
          public long nowSeconds() {
            return Clock.real().nowSeconds() + 100;
          }

          @Override
          public void advanceTo(long seconds) {
            throw new UnsupportedOperationException("nobody moves the real clock");
          }
        };
    try (ModelServer server = new ModelServer(folder, Set.of(), ahead, Bug.NONE)) {
      int code = run(server, "--only", "key-alone");

      assertThat(lines().get(2)).contains("duration_until_reset  expected 60, got ");
      assertThat(code).isEqualTo(1);
    }
  }

  @Test
  void skipsCountersThatCannotBeRead() throws IOException {
    try (ModelServer server = new ModelServer(folder, Set.of(), clockInFile(), Bug.NONE)) {
      run(server, "--clock", clockFile.toString(), "--only", "stats-of-hits");

      assertThat(lines())
          .first()
          .isEqualTo("skipped  stats/stats-of-hits: there is nowhere to read counters");
    }
  }

  @Test
  void listsProfiles() {
    int code = run("--profiles", "--table", ModelTest.TABLE.toString());

    assertThat(lines()).contains("   1  header_names+response_headers").hasSizeGreaterThan(8);
    assertThat(code).isZero();
  }

  @Test
  void saysWhichOptionsAreNeeded() {
    int code = run("--table", ModelTest.TABLE.toString());

    assertThat(err.toString()).startsWith("--target and --config-dir are needed");
    assertThat(code).isEqualTo(2);
  }

  @Test
  void saysWhichProfilesThereAre() throws IOException {
    try (ModelServer server = new ModelServer(folder, Set.of(), Clock.real(), Bug.NONE)) {
      int code = run(server, "--profile", "fast");

      assertThat(err.toString())
          .startsWith("conformance: profile must be one of [default, dynamic_metadata,")
          .endsWith("got fast\n");
      assertThat(code).isEqualTo(1);
    }
  }

  @Test
  void aProfileMayNameItsSettingsInAnyOrder() throws IOException {
    Set<String> settings = Set.of("shadow_mode", "response_headers");
    try (ModelServer server = new ModelServer(folder, settings, clockInFile(), Bug.NONE)) {
      run(server, "--clock", clockFile.toString(), "--profile", "shadow_mode+response_headers");

      assertThat(lines()).last().isEqualTo("1 passed, 0 failed, 0 skipped");
    }
  }

  @Test
  void removesFilesOfEarlierRuns() throws IOException {
    Files.writeString(folder.resolve("conformance-old.yaml"), "wrong: true\n");
    Files.writeString(folder.resolve("kept.yaml"), "domain: kept\n");
    try (ModelServer server = new ModelServer(folder, Set.of(), clockInFile(), Bug.NONE)) {
      run(server, "--clock", clockFile.toString(), "--only", "minute");

      assertThat(folder.resolve("conformance-old.yaml")).doesNotExist();
      assertThat(folder.resolve("kept.yaml")).exists();
      assertThat(lines()).last().isEqualTo("1 passed, 0 failed, 0 skipped");
    }
  }

  @Test
  void saysThatNobodyAnswers() {
    Suite suite = Suite.read(ModelTest.TABLE);
    Run run = Run.on("127.0.0.1:1", folder).patience(Duration.ZERO);

    assertThatThrownBy(() -> suite.run(run))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the server did not read its new files within 0 s (127.0.0.1:1, %s)", folder);
  }
}
