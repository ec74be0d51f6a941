package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MicrosTest {

  @Test
  void theLastInstantStartsTheYear2400() {
    assertThat(Micros.toInstant(Micros.LAST)).isEqualTo("2400-01-01T00:00:00Z");
  }

  @Test
  void instantsAreRoundedDown() {
    assertThat(Micros.of(Instant.parse("1970-01-01T00:00:01.000002999Z"))).isEqualTo(1_000_002);
    assertThat(Micros.of(Instant.parse("2300-01-01T00:00:00.000007Z")))
        .isEqualTo(10_413_792_000_000_007L);
    assertThat(Micros.toInstant(1_000_002)).isEqualTo("1970-01-01T00:00:01.000002Z");
  }

  @Test
  void durationsAreRoundedUp() {
    assertThat(Micros.roundedUp(Duration.ZERO)).isZero();
    assertThat(Micros.roundedUp(Duration.ofNanos(1))).isEqualTo(1);
    assertThat(Micros.roundedUp(Duration.ofNanos(1_000))).isEqualTo(1);
    assertThat(Micros.roundedUp(Duration.ofNanos(1_001))).isEqualTo(2);
    assertThat(Micros.roundedUp(Duration.ofDays(366))).isEqualTo(31_622_400_000_000L);
    assertThat(Micros.roundedUp(Duration.ofNanos(-1_500))).isEqualTo(-1);
    assertThat(Micros.toDuration(1_000_002)).isEqualTo(Duration.ofNanos(1_000_002_000));
  }
}
