package dev.weir.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricsPageTest {
  private static final String NOTHING_LEFT_OUT =
      """
      # HELP weir_metrics_left_out Series that are not on this page, as it has so many.
      # TYPE weir_metrics_left_out gauge
      weir_metrics_left_out 0
      """;

  private final MetricsPage page = new MetricsPage();

  private static Metric gauges(String name, Metric.Sample... samples) {
    return new Metric(name, "Help.", Metric.Type.GAUGE, List.of(samples));
  }

  private static Metric labelled(String value) {
    return gauges("size", Metric.Sample.of(1, Labels.of("of", value)));
  }

  @Test
  void writesHelpTypeAndValues() {
    page.add(Metric.counter("hits_total", "Hits.", 3));
    page.add(
        gauges(
            "size",
            Metric.Sample.of(1, Labels.of("of", "a", "by", "b")),
            Metric.Sample.of(2, Labels.of("of", "a", "by", "c"))));
    page.add(gauges("empty"));
    assertThat(page)
        .hasToString(
            """
            # HELP hits_total Hits.
            # TYPE hits_total counter
            hits_total 3
            # HELP size Help.
            # TYPE size gauge
            size{of="a",by="b"} 1
            size{of="a",by="c"} 2
            # HELP empty Help.
            # TYPE empty gauge
            """
                + NOTHING_LEFT_OUT);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-3, -3",
    "1234567890123, 1234567890123",
    "9007199254740992, 9007199254740992",
    "1e300, 1.0E300",
    "0.25, 0.25",
    "1e-9, 1.0E-9",
    "NaN, NaN",
    "Infinity, +Inf",
    "-Infinity, -Inf",
  })
  void writesNumbersAsPrometheusReadsThem(double value, String written) {
    page.add(Metric.gauge("size", "Help.", value));
    assertThat(page.toString()).contains("\nsize " + written + "\n");
  }

  @Test
  void escapesLabelsAndHelp() {
    page.add(labelled("a\"b\\c\nd é 😀"));
    page.add(Metric.gauge("other", "A \"word\",\n a \\.", 1));
    assertThat(page.toString())
        .contains("size{of=\"a\\\"b\\\\c\\nd é 😀\"} 1\n")
        .contains("# HELP other A \"word\",\\n a \\\\.\n");
  }

  @Test
  @DisplayName("T70: what would move a cursor or turn the text around is written by its code")
  void nothingOnThePageCommandsATerminal() {
    page.add(labelled("a\r\u001b[31m\u202e\u2028\ud800\0"));
    assertThat(page.toString())
        .contains("size{of=\"a\\\\u000d\\\\u001b[31m\\\\u202e\\\\u2028\\\\ud800\\\\u0000\"} 1\n");
    assertThat(page.toString().codePoints()).allMatch(c -> c == '\n' || !Character.isISOControl(c));
  }

  @Test
  void aMetricThatIsThereAlreadyIsLeftOut() {
    page.add(Metric.gauge("size", "Help.", 1));
    page.add(Metric.gauge("size", "Other help.", 2));
    assertThat(page.toString())
        .contains("\nsize 1\n", "\nweir_metrics_left_out 1\n")
        .doesNotContain("Other");
  }

  @Test
  void aSeriesThatIsThereAlreadyIsLeftOut() {
    page.add(
        gauges(
            "size",
            Metric.Sample.of(1, Labels.of("of", "a")),
            Metric.Sample.of(2, Labels.of("of", "a"))));
    assertThat(page.toString())
        .contains("\nsize{of=\"a\"} 1\n", "\nweir_metrics_left_out 1\n")
        .doesNotContain("\nsize{of=\"a\"} 2\n");
  }

  @Test
  void hasLessThanTenThousandSeriesWhateverIsAdded() {
    List<Metric.Sample> samples = new ArrayList<>();
    for (int i = 0; i < 12_000; i++) {
      samples.add(Metric.Sample.of(i, Labels.of("number", Integer.toString(i))));
    }
    page.add(gauges("size", samples.toArray(new Metric.Sample[0])));
    Scrape scrape = new Scrape(page.toString());
    assertThat(scrape.size()).isEqualTo(9_999);
    assertThat(scrape.value("weir_metrics_left_out")).isEqualTo(12_000 - 9_998);
    assertThat(scrape.value("size{number=\"9997\"}")).isEqualTo(9_997);
  }
}
