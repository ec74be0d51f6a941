package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArrivalsTest {

  @Test
  void comeEvenlyFromTheStartAndStrictlyBeforeTheEnd() {
    assertThat(times("25/s", "120ms")).containsExactly(0L, 40_000L, 80_000L);
  }

  @Test
  void areRoundedDownToMicrosecondsWithoutDrift() {
    List<Long> times = times("3/s", "10s");
    assertThat(times).hasSize(30).startsWith(0L, 333_333L, 666_666L, 1_000_000L, 1_333_333L);
    assertThat(times.get(29)).isEqualTo(9_666_666L);
  }

  @Test
  void mayComeSeveralInOneMicrosecond() {
    assertThat(times("3000000/s", "1ms")).hasSize(3_000).startsWith(0L, 0L, 0L, 1L, 1L, 1L);
  }

  @Test
  void takeBurstsInAfterTheSteadyOnesOfThatInstant() {
    assertThat(times("10/s", "300ms", "250ms=2", "100ms=1"))
        .containsExactly(0L, 100_000L, 100_000L, 200_000L, 250_000L, 250_000L);
  }

  @Test
  void mayBeBurstsOnly() {
    assertThat(times("0/s", "1s", "0s=2")).containsExactly(0L, 0L);
  }

  @Test
  void areCountedBeforehand() {
    assertThat(arrivals("25/s", "5s", "1s=7").count()).isEqualTo(132);
    assertThat(arrivals("7/m", "61s").count()).isEqualTo(8);
  }

  @Test
  void areRefusedWhenTooMany() {
    assertThatThrownBy(() -> arrivals("1000000/s", "10001ms"))
        .isInstanceOf(InputException.class)
        .hasMessage(
            "10001000 requests are too many to replay, at most 10000000; give a lower --rate, a"
                + " shorter --for or smaller bursts");
    assertThatThrownBy(() -> arrivals("0/s", "1s", "0s=999999999999999", "0s=999999999999999"))
        .hasMessageStartingWith("1999999999999998 requests are too many");
  }

  @Test
  void haveNoBurstAtOrAfterTheEnd() {
    assertThatThrownBy(() -> arrivals("1/s", "2s", "2s=1"))
        .isInstanceOf(InputException.class)
        .hasMessage(
            "--burst-at: 2s is not before the end at 2s; write an earlier time or a longer --for");
  }

  @Test
  void needATime() {
    assertThatThrownBy(() -> arrivals("1/s", "0s"))
        .hasMessage("--for: must be longer than 0s; write a duration, for example 10s");
  }

  static Arrivals arrivals(String rate, String length, String... bursts) {
    return new Arrivals(
        ArrivalRate.parse(rate),
        TimeText.parseMicros(length),
        List.of(bursts).stream().map(Burst::parse).toList());
  }

  private static List<Long> times(String rate, String length, String... bursts) {
    List<Long> times = new ArrayList<>();
    arrivals(rate, length, bursts).forEach(times::add);
    return times;
  }
}
