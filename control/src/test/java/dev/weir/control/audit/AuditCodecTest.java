package dev.weir.control.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AuditCodecTest {
  private static final RandomRecords RECORDS =
      new RandomRecords(1, 1_700_000_000_000_000L, 1_000_000_000_000L);

  private static AuditRecord.Builder least() {
    return new AuditRecord.Builder()
        .put(AuditColumn.TIMESTAMP, 1_700_000_000_000_000L)
        .put(AuditColumn.DECISION, "throttled")
        .put(AuditColumn.COST, 1)
        .put(AuditColumn.DEGRADED, false);
  }

  @Test
  void readsWhatItWrote() {
    for (int i = 0; i < 20_000; i++) {
      AuditRecord record = RECORDS.next();
      assertThat(AuditCodec.decode(AuditCodec.encode(record))).isEqualTo(record);
    }
    AuditRecord.Builder largest = least();
    for (AuditColumn each : AuditColumn.ALL) {
      if (each.type() == AuditColumn.Type.TEXT && each != AuditColumn.DECISION) {
        largest.put(each, "日".repeat(10_000));
      }
    }
    AuditRecord record = largest.build();
    assertThat(AuditCodec.encode(record)).hasSizeBetween(10_000, 32_000);
    assertThat(AuditCodec.decode(AuditCodec.encode(record))).isEqualTo(record);
  }

  @Test
  void isCompact() {
    assertThat(AuditCodec.encode(least().build())).hasSizeLessThan(30);
  }

  @Test
  void refusesGarbage() {
    SplittableRandom random = new SplittableRandom(3);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = AuditCodec.encode(RECORDS.next());
      byte[] changed =
          random.nextBoolean()
              ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 4))
              : bytes.clone();
      for (int n = random.nextInt(3); n > 0 && changed.length > 0; n--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }
      try {
        // Whatever is read can be written, and is the same then.
        AuditRecord record = AuditCodec.decode(changed);
        assertThat(AuditCodec.decode(AuditCodec.encode(record))).isEqualTo(record);
      } catch (IllegalArgumentException wrong) {
        assertThat(wrong.getMessage()).contains("audit record");
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(10_000);
  }

  @Test
  void saysWhatIsWrong() {
    byte[] bytes = AuditCodec.encode(least().build());
    byte[] newer = bytes.clone();
    newer[0] = 2;
    assertThatThrownBy(() -> AuditCodec.decode(newer))
        .hasMessageMatching("audit record of \\d+ bytes must have version 1, got 2, at byte 1");
    assertThatThrownBy(() -> AuditCodec.decode(Arrays.copyOf(bytes, bytes.length + 1)))
        .hasMessageContaining("has 1 bytes too many");
    assertThatThrownBy(
            () ->
                AuditCodec.decode(
                    AuditCodec.encode(least().put(AuditColumn.DECISION, "maybe").build())))
        .hasMessageContaining("has a wrong decision");
    assertThatThrownBy(
            () ->
                AuditCodec.decode(
                    AuditCodec.encode(least().put(AuditColumn.IP_ADDRESS, "10.0.0").build())))
        .hasMessageContaining("has a wrong ip_address");
    assertThatThrownBy(
            () ->
                AuditCodec.decode(
                    AuditCodec.encode(least().put(AuditColumn.TIMESTAMP, Long.MAX_VALUE).build())))
        .hasMessageContaining("must have a number from 0 to 13569465599999999");
  }

  @Test
  void aRecordWithoutWhatEveryRowHasIsNone() {
    assertThatThrownBy(() -> new AuditRecord.Builder().build())
        .hasMessage("an audit record must have timestamp");
    assertThatThrownBy(() -> least().put(AuditColumn.COST, "1")).hasMessage("cost is no text");
    assertThatThrownBy(() -> least().put(AuditColumn.PATH, 1)).hasMessage("path is no number");
    assertThatThrownBy(() -> least().put(AuditColumn.PATH, true)).hasMessage("path is no flag");
  }
}
