package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KeyFloodTest {
  private static final int FLOOD = 1_000_000;
  private static final int PROBE_EVERY = 1_000;

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));

  @Test
  @DisplayName("T68: an exhausted key stays refused while others flood the table")
  void anExhaustedKeyStaysRefusedWhileOthersFloodTheTable() {
    RateLimiter limiter = RateLimiter.builder().limit("5/h").maxKeys(1_000).time(time).build();
    assertThat(limiter.tryAcquire("victim", 5)).isTrue();
    int passed = 0;
    for (int i = 0; i < FLOOD; i++) {
      passed += limiter.tryAcquire("flood" + i) ? 1 : 0;
      if (i % PROBE_EVERY == 0) {
        assertThat(limiter.tryAcquire("victim")).as("after %d keys", i).isFalse();
      }
    }

    // The keys with a counter of their own, and what the overflow has for all others.
    assertThat(passed).isEqualTo(999 + 5);
    assertThat(limiter.statistics().liveKeys()).isEqualTo(1_000);
    assertThat(limiter.statistics().dropped()).isZero();
  }

  @Test
  @DisplayName("T68: an exhausted key stays refused while recovered keys come and go")
  void anExhaustedKeyStaysRefusedWhileRecoveredKeysComeAndGo() {
    RateLimiter limiter =
        RateLimiter.builder().limit("1/s burst 100").maxKeys(1_000).time(time).build();
    assertThat(limiter.tryAcquire("victim", 100)).isTrue();
    for (int i = 0; i < FLOOD; i++) {
      limiter.tryAcquire("flood" + i);
      if (i % PROBE_EVERY == 0) {
        time.advance(Duration.ofMillis(40));
        assertThat(limiter.tryAcquire("victim", 50)).as("after %d keys", i).isFalse();
      }
    }

    assertThat(limiter.statistics().liveKeys()).isLessThanOrEqualTo(1_000);
    // A second later the first thousand have recovered; who came after starts with the overflow.
    assertThat(limiter.statistics().dropped()).isBetween(900L, 10_000L);
    time.advance(Duration.ofSeconds(10));
    assertThat(limiter.tryAcquire("victim", 50)).isTrue();
  }

  @Test
  @DisplayName("T69: strings of one hash code are spread over the table")
  void stringsOfOneHashCodeAreSpread() {
    int count = 100_000;
    String[] keys = new String[count];
    for (int i = 0; i < count; i++) {
      StringBuilder key = new StringBuilder();
      for (int bit = 0; bit < 17; bit++) {
        key.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      keys[i] = key.toString();
    }
    assertThat(Arrays.stream(keys).mapToInt(String::hashCode).distinct().count()).isEqualTo(1);
    MemoryCounterStore store = new MemoryCounterStore(time, count);
    Meter meter = Meter.of(Limit.parse("1/s"));
    Cells cells = Cells.narrow(count * 4 / 3, (TokenBucketMeter) meter);
    long probes = 0;
    for (String key : keys) {
      long fingerprint = store.fingerprint(key);
      assertThat(cells.find(fingerprint)).as("a collision of fingerprints").isEqualTo(-1);
      int at = cells.vacancy(fingerprint);
      int home = (int) (((fingerprint & 0xffff_ffffL) * cells.capacity) >>> 32);
      probes += Math.floorMod(at / cells.stride - home, cells.capacity);
      cells.publish(at, fingerprint, 0);
    }

    // Linear probing on random hashes at this load: (1 / (1 - 3/4) - 1) / 2 = 1.5 on average.
    assertThat((double) probes / count).isLessThan(2.0);
  }

  @Test
  @DisplayName("T69: a key of 1 MiB is a key like any other")
  void aGiantKeyIsAKeyLikeAnyOther() {
    RateLimiter limiter = RateLimiter.builder().limit("1/h").time(time).build();
    String giant = "k".repeat(1 << 20);

    assertThat(limiter.tryAcquire(giant)).isTrue();
    assertThat(limiter.tryAcquire(giant)).isFalse();
    assertThat(limiter.tryAcquire(giant + "2")).isTrue();
  }

  @Test
  void keysBelowTheirLimitKeepTheirCells() {
    ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
    RateLimiter limiter = RateLimiter.builder().time(time).limit("1000/s").build();
    for (int round = 0; round < 20; round++) {
      for (int key = 0; key < 5_000; key++) {
        limiter.tryAcquire("key-" + key);
        time.advance(Duration.ofNanos(10_000));
      }
    }

    // There is room for a million: nobody has to make way.
    assertThat(limiter.statistics()).isEqualTo(new MemoryStatistics(5_000, 0, 0));
  }

  @Test
  void aCrowdedTableKeepsNobodyWhoHasRecovered() {
    RateLimiter limiter = RateLimiter.builder().limit("1000/s").maxKeys(1_000).time(time).build();
    for (int i = 0; i < 100_000; i++) {
      assertThat(limiter.tryAcquire("flood" + i)).isTrue();
      time.advance(Duration.ofNanos(100_000));
    }
    assertThat(limiter.statistics().liveKeys()).isLessThan(100);
    assertThat(limiter.statistics().overflowed()).isZero();
    time.advance(Duration.ofMinutes(20));
    for (int i = 0; i < 900; i++) {
      limiter.tryAcquire("calm" + i);
      time.advance(Duration.ofNanos(100_000));
    }

    assertThat(limiter.statistics().liveKeys()).isGreaterThanOrEqualTo(900);
  }
}
