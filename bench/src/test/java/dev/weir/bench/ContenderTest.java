package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContenderTest {

  @ParameterizedTest
  @EnumSource
  void keepsACounterForEachKey(KeyedContender contender) {
    KeyedLimiter limiter = contender.open(1_000);

    for (int call = 0; call < 3; call++) {
      for (int key = 0; key < 100; key++) {
        assertThat(limiter.tryAcquire("user:" + key)).isTrue();
      }
    }

    assertThat(limiter.liveKeys()).isEqualTo(100);
  }

  @Test
  void referenceRefusesWhenTheBurstIsSpent() {
    Gcra rule = new Gcra(TimeUnit.DAYS.toNanos(1), TimeUnit.DAYS.toNanos(2));
    AtomicLong bucket = Gcra.full();

    assertThat(rule.tryAcquire(bucket)).isTrue();
    assertThat(rule.tryAcquire(bucket)).isTrue();
    assertThat(rule.tryAcquire(bucket)).isFalse();
  }

  @Test
  void zipfAsksForTheFirstKeyAsOftenAsItsLawSays() {
    String[] keys = KeyOrder.keys(1_000);

    long first = Arrays.stream(KeyOrder.ZIPF.of(keys, 100_000)).filter(keys[0]::equals).count();

    // 1 / (1 + 1/2 + ... + 1/1000)
    assertThat(first / 100_000.0).isCloseTo(0.1336, within(0.005));
  }

  @Test
  void uniformAsksForEveryKey() {
    String[] keys = KeyOrder.keys(1_000);

    assertThat(Arrays.stream(KeyOrder.UNIFORM.of(keys, 100_000)).distinct()).hasSize(1_000);
  }
}
