package dev.weir.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricTest {

  @ParameterizedTest
  @ValueSource(strings = {"", "1st", "a-b", "a b", "a\n", "ä", "a{b"})
  void refusesNamesThatPrometheusDoesNotKnow(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Metric.gauge(name, "Help.", 1))
        .withMessage("name must be letters, digits, _ and :, got \"" + name + "\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Labels.of(name, "value"))
        .withMessage("label must be letters, digits and _, got \"" + name + "\"");
  }

  @Test
  void aNameMayHaveDigitsAndColonsAndALabelNoColon() {
    assertThat(Metric.gauge("_a:B9", "Help.", 1).name()).isEqualTo("_a:B9");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Labels.of("a:b", "value"))
        .withMessage("label must be letters, digits and _, got \"a:b\"");
  }

  @Test
  void countersAndNothingElseEndWithTotal() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Metric.counter("requests", "Help.", 1))
        .withMessage(
            "name must end with _total for counters and for nothing else, got counter requests");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Metric.gauge("requests_total", "Help.", 1))
        .withMessage(
            "name must end with _total for counters and for nothing else, got gauge"
                + " requests_total");
  }

  @Test
  void helpMustSaySomething() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Metric.gauge("size", " ", 1))
        .withMessage("help must be a sentence, got \"\" for size");
  }

  @Test
  void onlyHistogramsAndSummariesHaveSuffixes() {
    List<Metric.Sample> samples = List.of(new Metric.Sample("_sum", Labels.none(), 1));
    assertThat(new Metric("size", "Help.", Metric.Type.SUMMARY, samples).samples())
        .isEqualTo(samples);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Metric("size", "Help.", Metric.Type.GAUGE, samples))
        .withMessage("suffix must be empty for a gauge, got \"_sum\"");
  }

  @Test
  void labelsAreNamesAndValuesAndNoNameTwice() {
    assertThat(Labels.of("a", "1", "b", "1").namesAndValues()).containsExactly("a", "1", "b", "1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Labels.of("a"))
        .withMessage("labels must be names and values in turn, got [a]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Labels.of("a", "1", "a", "2"))
        .withMessage("label must be given once, got a twice");
  }
}
