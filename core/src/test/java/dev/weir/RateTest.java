package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateTest {

  @ParameterizedTest
  @CsvSource({
    // permits, period, ticks per micro, ticks per permit, whole micros, ticks beyond
    "1, 1000000, 1, 1000000, 1000000, 0",
    "10, 60000000, 1, 6000000, 6000000, 0",
    "3, 1000000, 3, 1000000, 333333, 1",
    "999, 1000000, 999, 1000000, 1001, 1",
    "1000000, 1000000, 1, 1, 1, 0",
    "1000000000, 1000000, 1000, 1, 0, 1",
    "1048577, 1000000, 1048577, 1000000, 0, 1000000",
  })
  void isAReducedFraction(
      long permits, long period, long perMicro, long perPermit, long whole, long rest) {
    Rate rate = Rate.of(permits, period);

    assertThat(rate).isEqualTo(new Rate(perMicro, perPermit));
    assertThat(rate.wholeMicros()).isEqualTo(whole);
    assertThat(rate.restTicks()).isEqualTo(rest);
  }

  @Test
  void aPermitIsExactlyItsWholeMicrosAndTicks() {
    Random random = new Random(7);
    for (int i = 0; i < 10_000; i++) {
      long permits = 1 + random.nextLong(Limit.MAX_PERMITS);
      long period = 1_000 * (1 + random.nextLong(Period.LONGEST.toMillis()));
      Rate rate = Rate.of(permits, period);

      assertThat(Math.multiplyHigh(rate.ticksPerMicro(), period)).isGreaterThanOrEqualTo(0);
      assertThat(rate.wholeMicros() * rate.ticksPerMicro() + rate.restTicks())
          .isEqualTo(rate.ticksPerPermit());
      // permits / period = ticksPerMicro / ticksPerPermit
      assertThat(rate.ticksPerMicro() * (period / rate.ticksPerPermit())).isEqualTo(permits);
      assertThat(period % rate.ticksPerPermit()).isZero();
    }
  }
}
