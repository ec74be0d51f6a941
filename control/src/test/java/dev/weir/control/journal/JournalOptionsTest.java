package dev.weir.control.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class JournalOptionsTest {
  private static final JournalOptions DEFAULTS = JournalOptions.defaults();

  private static void refused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }

  @Test
  void theDefaultsAreAsWrittenDown() {
    assertThat(DEFAULTS.syncInterval()).isEqualTo(Duration.ofMillis(100));
    assertThat(DEFAULTS.mostBytesOnDisk()).isEqualTo(1_073_741_824);
    assertThat(DEFAULTS.segmentBytes()).isEqualTo(16_777_216);
    assertThat(DEFAULTS.mostWaitingRecords()).isEqualTo(262_144);
    assertThat(DEFAULTS.mostWaitingBytes()).isEqualTo(67_108_864);
  }

  @Test
  void eachOptionCanBeChangedAlone() {
    assertThat(
            DEFAULTS
                .withSyncInterval(Duration.ofMillis(7))
                .withSegmentBytes(8_192)
                .withMostBytesOnDisk(1_000_000)
                .withMostWaitingRecords(10)
                .withMostWaitingBytes(200_000))
        .isEqualTo(new JournalOptions(Duration.ofMillis(7), 1_000_000, 8_192, 10, 200_000));
  }

  @Test
  void whatCannotWorkIsRefused() {
    refused(
        () -> DEFAULTS.withSyncInterval(Duration.ZERO),
        "syncInterval must be between 1ms and 60s, got PT0S");
    refused(
        () -> DEFAULTS.withSyncInterval(Duration.ofSeconds(61)),
        "syncInterval must be between 1ms and 60s, got PT1M1S");
    refused(
        () -> DEFAULTS.withSegmentBytes(4_095),
        "segmentBytes must be between 4096 and 1073741824, got 4095");
    refused(
        () -> DEFAULTS.withMostBytesOnDisk(17_039_359),
        "mostBytesOnDisk must be at least 17039360, got 17039359");
    refused(
        () -> DEFAULTS.withMostWaitingRecords(0),
        "mostWaitingRecords must be between 1 and 16777216, got 0");
    refused(
        () -> DEFAULTS.withMostWaitingBytes(131_071),
        "mostWaitingBytes must be at least 131072, got 131071");
  }
}
