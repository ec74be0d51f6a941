package dev.weir.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table as a whole, and what is said about wrong ones. */
class TableTest {
  private static final Suite SUITE = Suite.read(ModelTest.TABLE);

  @Test
  void hasAtLeast150CasesOfUniqueNames() {
    assertThat(SUITE.cases()).hasSizeGreaterThanOrEqualTo(150);
    assertThat(SUITE.cases()).extracting(Case::name).doesNotHaveDuplicates();
  }

  @Test
  void namesAreFitForFilesAndDomains() {
    assertThat(SUITE.cases())
        .allSatisfy(each -> assertThat(each.name()).matches("[a-z0-9]+(-[a-z0-9]+)*"));
  }

  /** So that a case disturbs no other, whatever happens in it. */
  @Test
  void everyDomainBelongsToItsCase() {
    for (Case each : SUITE.cases()) {
      for (Step step : each.steps()) {
        if (step instanceof Step.Ask ask && !ask.domain().isEmpty()) {
          assertThat(ask.domain().toLowerCase(Locale.ROOT))
              .as(each.title())
              .matches(Pattern.quote(each.name()) + "(-2|-other)?");
        }
      }
    }
  }

  @Test
  void aRunTakesLessThanAHundredYears() {
    long seconds =
        SUITE.cases().stream().mapToLong(each -> each.alignSeconds() + each.seconds()).sum();

    assertThat(seconds).isLessThan(100 * Unit.YEAR.seconds());
  }

  @Test
  void theReadmeCountsTheCases() throws IOException {
    String readme = Files.readString(Path.of("../docs/conformance/README.md"));
    Map<String, Integer> told = new TreeMap<>();
    Matcher row =
        Pattern.compile("(?m)^\\| \\[([a-z-]+)\\]\\(envoy-rls/\\1\\.yaml\\) \\| (\\d+) \\|")
            .matcher(readme);
    while (row.find()) {
      told.put(row.group(1), Integer.parseInt(row.group(2)));
    }
    Map<String, Integer> counted = new TreeMap<>();
    SUITE.cases().forEach(each -> counted.merge(each.theme(), 1, Integer::sum));

    assertThat(told).isEqualTo(counted);
    assertThat(readme).contains("%d cases".formatted(SUITE.cases().size()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nme: a                     | a.yaml, case 1: name is missing
          name: a                    | a.yaml, case 1: why is missing
          name: a, why: b            | a/a: steps is missing
          name: a, why: b, x: 1, steps: [{descriptor: [k: v], status: {code: OK}}] | a.yaml, case 1: nothing is known of [x]
          name: a, why: b, align: age, steps: [{descriptor: [k: v], status: {code: OK}}] | a/a: align: unit must be one of UNKNOWN, SECOND, MINUTE, HOUR, DAY, MONTH, YEAR, WEEK, got "AGE"
          name: a, why: b, steps: [{descriptor: [k: v]}] | a/a, step 1: statuses must be as many as descriptors, got 0 and 1
          name: a, why: b, steps: [{descriptor: [k: v], status: {code: OK, limit: 5}}] | a/a, step 1, status: limit: limit must look like 5/MINUTE or 5/MINUTE name, got "5"
          name: a, why: b, steps: [{descriptor: [k: v], status: {code: OK, colour: red}}] | a/a, step 1, status: nothing is known of [colour]
          name: a, why: b, steps: [{times: 3, descriptor: [k: v], status: {code: OK, remaining: 5..2}}] | a/a, step 1, status: remaining does not divide evenly over 3 times
          name: a, why: b, steps: [{times: few, descriptor: [k: v], status: {code: OK}}] | a/a, step 1: times must be a whole number, got few
          name: a, why: b, steps: [{descriptor: [{k: v, l: w}], status: {code: OK}}] | a/a, step 1, entry: an entry must be one key with its value, got {k=v, l=w}
          name: a, why: b, steps: [{reload: maybe}] | a/a, step 1: reload must be accepted or rejected, got maybe
          name: a, why: b, steps: [{reload: rejected}] | a/a, step 1: mistake is missing
          name: a, why: b, steps: [{at: 5, descriptor: [k: v], status: {code: OK}}, {at: 4, descriptor: [k: v], status: {code: OK}}] | a/a, step 2: at must not be before the step before, which is at 5
          """)
  void saysWhatIsWrongAndWhere(String text, String message) {
    String file = "about: x\ncases:\n  - {" + text + "}\n";

    assertThatThrownBy(() -> TableReader.parse(file, "a.yaml"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void saysWhichNameComesTwice(@TempDir Path folder) throws IOException {
    String text =
        """
        about: x
        cases:
          - {name: a, why: b, steps: [{descriptor: [k: v], status: {code: OK}}]}
        """;
    Files.writeString(folder.resolve("one.yaml"), text);
    Files.writeString(folder.resolve("two.yaml"), text);

    assertThatThrownBy(() -> Suite.read(folder)).hasMessage("two cases have the name a");
  }

  @Test
  void saysThatThereIsNoTable(@TempDir Path folder) {
    assertThatThrownBy(() -> Suite.read(folder)).hasMessage("there is no table in " + folder);
  }
}
