package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SegmentTest {
  private static final long NOW = Micros.of(Instant.parse("2026-03-01T10:00:00Z"));
  private static final long SECOND = 1_000_000;

  private final CounterTable table = new CounterTable(1_000);
  private final TokenBucketMeter bucket =
      (TokenBucketMeter) table.meter(Limit.parse("1/s burst 9"));
  private final Meter log = table.meter(Limit.parse("9/m sliding_log"));
  private final Meter window = table.meter(Limit.parse("9/m fixed_window"));
  private final Segment segment = Segment.forKeys(table, bucket);

  private static long key(long number) {
    return 0x1357_9bdf_0000_0000L + number * 0x9e37_79b9L;
  }

  private void charge(long fingerprint, long cost) {
    Cells cells = segment.cells();
    Narrow.usedLongAgo(cells, cells.find(fingerprint));
    assertThat(bucket.tryCharge(cells.words, cells.find(fingerprint), NOW, cost))
        .isEqualTo(TokenBucketMeter.CHARGED);
  }

  private long used(long fingerprint, long now) {
    Cells cells = segment.cells();
    int at = cells.find(fingerprint);
    if (cells.narrow != null) {
      return cells.narrow.used(cells.head(at), now);
    }
    return ((Meter) table.kind(cells.head(at))).used(cells, cells.state(at), now);
  }

  @Test
  void startsWithEightCellsAndGrowsBeforeThreeQuartersAreTaken() {
    for (int i = 0; i < 6; i++) {
      segment.add(key(i), bucket, NOW);
      charge(key(i), 1 + i);
    }
    assertThat(segment.cells().capacity).isEqualTo(8);
    segment.add(key(6), bucket, NOW);

    assertThat(segment.cells().capacity).isEqualTo(14);
    for (int i = 0; i < 6; i++) {
      assertThat(used(key(i), NOW)).isEqualTo(1 + i);
    }
    assertThat(used(key(6), NOW)).isZero();
  }

  @Test
  void growthKeepsCountsAndNeverFillsTheCells() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(segment.add(key(i), bucket, NOW)).isTrue();
      charge(key(i), 1 + i % 9);
    }

    assertThat(segment.cells().capacity).isBetween(1_334, 2_000);
    for (int i = 0; i < 1_000; i++) {
      assertThat(used(key(i), NOW)).isEqualTo(1 + i % 9);
    }
    assertThat(segment.add(key(1_000), bucket, NOW)).isFalse();
  }

  @Test
  void growthDropsWhatHasRestedAfterItRecovered() {
    for (int i = 0; i < 6; i++) {
      segment.add(key(i), bucket, NOW);
      charge(key(i), i < 4 ? 1 : 9);
    }
    long rested = NOW + SECOND + Segment.REST_MICROS;
    segment.add(key(6), bucket, rested);

    assertThat(segment.cells().capacity).isEqualTo(8);
    assertThat(segment.cells().find(key(0))).isEqualTo(-1);
    assertThat(used(key(5), NOW)).isEqualTo(9);
    assertThat(table.statistics()).isEqualTo(new MemoryStatistics(3, 4, 0));
    // Four slots of eight are free again: three more keys go in before the next growth.
    segment.add(key(7), bucket, rested);
    segment.add(key(8), bucket, rested);
    segment.add(key(9), bucket, rested);
    assertThat(segment.cells().capacity).isEqualTo(8);
  }

  @Test
  void growthKeepsWhatHasOnlyJustRecovered() {
    for (int i = 0; i < 6; i++) {
      segment.add(key(i), bucket, NOW);
      charge(key(i), 1);
    }
    segment.add(key(6), bucket, NOW + SECOND + Segment.REST_MICROS - 1);

    assertThat(segment.cells().capacity).isEqualTo(14);
    assertThat(table.statistics()).isEqualTo(new MemoryStatistics(7, 0, 0));
  }

  @Test
  void growthKeepsWhatWasGivenBack() {
    for (int i = 0; i < 7; i++) {
      segment.add(key(i), bucket, NOW + i * Segment.REST_MICROS);
    }
    assertThat(table.statistics()).isEqualTo(new MemoryStatistics(7, 0, 0));

    Segment windows = Segment.forKeys(table, window);
    for (int i = 0; i < 7; i++) {
      windows.add(key(i), window, NOW + i * Segment.REST_MICROS);
    }
    assertThat(table.statistics()).isEqualTo(new MemoryStatistics(14, 0, 0));
  }

  @Test
  void growthOfWideCellsDropsWhatHasRestedToo() {
    Segment logs = Segment.forKeys(table, log);
    for (int i = 0; i < 6; i++) {
      logs.add(key(i), log, NOW);
      Cells cells = logs.cells();
      log.charge(cells, cells.state(cells.find(key(i))), NOW, 1);
    }
    logs.add(key(6), log, NOW + 60 * SECOND + Segment.REST_MICROS - 1);
    assertThat(table.statistics()).isEqualTo(new MemoryStatistics(7, 0, 0));
    for (int i = 7; i < 12; i++) {
      logs.add(key(i), log, NOW + 60 * SECOND + Segment.REST_MICROS);
    }

    assertThat(table.statistics()).isEqualTo(new MemoryStatistics(6, 6, 0));
  }

  @Test
  void cellsThatWereReplacedAreGone() {
    segment.add(key(1), bucket, NOW);
    charge(key(1), 2);
    Cells old = segment.cells();
    segment.widen(window, NOW);

    assertThat(segment.cells()).isNotSameAs(old);
    assertThat(old.head(old.find(key(1)))).isEqualTo(Cells.GONE);
    assertThat(used(key(1), NOW)).isEqualTo(2);
  }

  @Test
  void widensOnlyIfItMust() {
    segment.add(key(1), bucket, NOW);
    charge(key(1), 2);
    segment.widen(log, NOW);
    Cells wide = segment.cells();
    segment.widen(window, NOW);
    segment.widen(bucket, NOW);

    assertThat(segment.cells()).isSameAs(wide);
    assertThat(wide.accepts(log)).isTrue();
  }

  @Test
  void aLayoutHasRoomForAllThatItKeeps() {
    Segment logs = Segment.forKeys(table, log);
    logs.add(key(1), log, NOW);
    Cells cells = logs.cells();
    log.charge(cells, cells.state(cells.find(key(1))), NOW, 4);
    logs.widen(new PenaltyState(new Penalty(Period.LONGEST, 1, List.of(1))), NOW);
    cells = logs.cells();

    assertThat(cells.accepts(log)).isTrue();
    assertThat(log.used(cells, cells.state(cells.find(key(1))), NOW)).isEqualTo(4);
    assertThat(cells.stride).isEqualTo(6);
  }

  @Test
  void isNarrowAgainWhenAllCellsAreOfOneBucket() {
    Segment windows = Segment.forKeys(table, window);
    windows.add(key(1), window, NOW);
    assertThat(windows.cells().narrow).isNull();
    windows.add(key(2), bucket, NOW);
    Cells wide = windows.cells();
    bucket.charge(wide, wide.state(wide.find(key(2))), NOW, 3);
    // The unused cell is no hindrance, and is dropped.
    for (int i = 0; i <= wide.capacity; i++) {
      windows.considerNarrowing(bucket, NOW);
    }

    assertThat(windows.cells().narrow).isSameAs(bucket);
    Cells cells = windows.cells();
    assertThat(bucket.used(cells.head(cells.find(key(2))), NOW)).isEqualTo(3);
  }

  @Test
  void aNewKeyStartsWithWhatIsUsedOfTheOverflow() {
    Cells overflow = table.overflow(bucket).cells();
    Narrow.usedLongAgo(overflow, overflow.aloneAt());
    bucket.tryCharge(overflow.words, overflow.aloneAt(), NOW, 5);
    segment.add(key(1), bucket, NOW + SECOND);
    Segment windows = Segment.forKeys(table, window);
    windows.add(key(2), window, NOW);
    Cells cells = windows.cells();

    assertThat(used(key(1), NOW + SECOND)).isEqualTo(4);
    assertThat(window.used(cells, cells.state(cells.find(key(2))), NOW)).isEqualTo(5);
  }

  @Test
  void aSweepDropsAndSaysWhenToComeBack() {
    for (int i = 0; i < 5; i++) {
      segment.add(key(i), bucket, NOW);
      charge(key(i), 2 + i);
    }

    assertThat(segment.sweep(64, NOW + SECOND)).isEqualTo(NOW + 2 * SECOND);
    assertThat(table.statistics()).isEqualTo(new MemoryStatistics(5, 0, 0));
    assertThat(segment.sweep(64, NOW + 3 * SECOND)).isEqualTo(NOW + 3 * SECOND);
    assertThat(table.statistics()).isEqualTo(new MemoryStatistics(3, 2, 0));
    assertThat(segment.sweep(64, NOW + 3 * SECOND)).isEqualTo(NOW + 4 * SECOND);
    assertThat(Segment.forKeys(table, bucket).sweep(64, NOW)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aSweepGoesOnWhereItStopped() {
    for (int i = 0; i < 5; i++) {
      segment.add(key(i), bucket, NOW);
    }
    assertThat(segment.isSwept()).isTrue();
    segment.sweep(3, NOW);
    assertThat(segment.isSwept()).isFalse();
    long afterFirst = table.statistics().dropped();
    segment.sweep(3, NOW);
    assertThat(segment.isSwept()).isFalse();
    segment.sweep(3, NOW);
    assertThat(segment.isSwept()).isTrue();

    assertThat(afterFirst).isLessThan(5);
    assertThat(table.statistics().dropped()).isEqualTo(5);
  }

  @Test
  void aDroppedSlotIsNotUsedAgain() {
    segment.add(key(1), bucket, NOW);
    int slot = segment.cells().find(key(1));
    segment.sweep(64, NOW);

    assertThat(segment.cells().find(key(1))).isEqualTo(-1);
    assertThat(segment.cells().words[slot]).isEqualTo(Cells.DROPPED);
    assertThat(segment.cells().head(slot)).isEqualTo(Cells.GONE);
    segment.add(key(1), bucket, NOW);
    assertThat(segment.cells().find(key(1))).isNotEqualTo(slot);
  }

  @Test
  void aDroppedLogIsLetGo() {
    Segment logs = Segment.forKeys(table, log);
    logs.add(key(1), log, NOW);
    Cells cells = logs.cells();
    int state = cells.state(cells.find(key(1)));
    log.charge(cells, state, NOW, 4);
    logs.sweep(64, NOW + 60 * SECOND);

    assertThat(cells.log(state)).isEmpty();
  }

  @Test
  void aCellAloneIsNeverDropped() {
    Segment alone = Segment.alone(table, bucket);
    alone.widen(window, NOW);

    Cells cells = alone.cells();
    assertThat(cells.words[cells.aloneAt()]).isEqualTo(Cells.ALONE);
    assertThat(table.kind(cells.head(cells.aloneAt()))).isSameAs(bucket);
    assertThat(table.statistics().dropped()).isZero();
  }

  @Test
  void addingMakesRoomForTheKindOfTheKey() {
    segment.add(key(1), bucket, NOW);
    charge(key(1), 2);
    segment.add(key(2), log, NOW);

    assertThat(segment.cells().accepts(log)).isTrue();
    assertThat(used(key(1), NOW)).isEqualTo(2);
    assertThat(used(key(2), NOW)).isZero();
  }

  @Test
  void aKeyInTheFirstSlotIsFoundToo() {
    segment.add(key(0), bucket, NOW);
    assertThat(segment.cells().find(key(0))).isZero();
    segment.add(key(0), bucket, NOW);

    assertThat(table.statistics().liveKeys()).isEqualTo(1);
  }

  @Test
  void isNarrowAgainAfterAWhileOnceAllCellsRunByOneBucket() {
    segment.add(key(1), bucket, NOW);
    charge(key(1), 4);
    segment.add(key(2), window, NOW);
    Cells wide = segment.cells();
    window.charge(wide, wide.state(wide.find(key(2))), NOW, 1);
    // One look in as many calls as there are cells, and one.
    for (int i = 0; i < 11 * (wide.capacity + 1); i++) {
      segment.considerNarrowing(bucket, NOW);
    }
    assertThat(segment.cells()).isSameAs(wide);
    long later = NOW + 60 * SECOND;
    bucket.charge(wide, wide.state(wide.find(key(1))), later, 3);
    for (int i = 0; i < wide.capacity; i++) {
      segment.considerNarrowing(bucket, later);
    }
    assertThat(segment.cells()).isSameAs(wide);
    segment.considerNarrowing(bucket, later);

    assertThat(segment.cells().narrow).isSameAs(bucket);
    assertThat(used(key(1), later)).isEqualTo(3);
    assertThat(segment.cells().find(key(2))).isEqualTo(-1);
  }

  @Test
  void addsAKeyThatIsChargedFromTheStart() {
    assertThat(segment.addCharged(key(1), bucket, () -> NOW, NOW, 4))
        .isEqualTo(TokenBucketMeter.CHARGED);
    assertThat(used(key(1), NOW)).isEqualTo(4);
    assertThat(segment.addCharged(key(1), bucket, () -> NOW, NOW, 4))
        .isEqualTo(TokenBucketMeter.LOOK_AGAIN);
    assertThat(used(key(1), NOW)).isEqualTo(4);
    assertThat(segment.addCharged(key(2), bucket, () -> NOW + SECOND, NOW, 4))
        .as("the clock is read again")
        .isEqualTo(TokenBucketMeter.CHARGED);
    assertThat(used(key(2), NOW + SECOND)).isEqualTo(4);
  }

  @Test
  void aKeyThatIsChargedFromTheStartStartsWithTheOverflow() {
    Cells overflow = table.overflow(bucket).cells();
    Narrow.usedLongAgo(overflow, overflow.aloneAt());
    bucket.tryCharge(overflow.words, overflow.aloneAt(), NOW, 6);

    assertThat(segment.addCharged(key(1), bucket, () -> NOW, NOW, 3))
        .isEqualTo(TokenBucketMeter.CHARGED);
    assertThat(used(key(1), NOW)).isEqualTo(9);
    assertThat(segment.addCharged(key(2), bucket, () -> NOW, NOW, 4))
        .isEqualTo(TokenBucketMeter.REFUSED);
    assertThat(used(key(2), NOW)).isEqualTo(6);
  }

  @Test
  void addsNothingChargedToAFullTableOrToOtherCells() {
    CounterTable small = new CounterTable(1);
    TokenBucketMeter meter = (TokenBucketMeter) small.meter(Limit.parse("1/s burst 9"));
    Segment only = Segment.forKeys(small, meter);
    only.add(key(1), meter, NOW);

    assertThat(only.addCharged(key(2), meter, () -> NOW, NOW, 1))
        .isEqualTo(TokenBucketMeter.LOOK_AGAIN);
    assertThat(Segment.forKeys(table, window).addCharged(key(2), bucket, () -> NOW, NOW, 1))
        .isEqualTo(TokenBucketMeter.LOOK_AGAIN);
    assertThat(only.cells().find(key(2))).isEqualTo(-1);
    assertThat(table.statistics().liveKeys()).isZero();
  }

  @Test
  void aClockThatFailsLeavesNothingBehind() {
    TimeSource broken =
        () -> {
          throw new IllegalStateException("no clock");
        };

    assertThatThrownBy(() -> segment.addCharged(key(1), bucket, broken, NOW, 1))
        .hasMessage("no clock");
    assertThat(segment.cells().find(key(1))).isEqualTo(-1);
    assertThat(table.statistics().liveKeys()).isZero();
  }

  @Test
  void growsForKeysThatAreChargedFromTheStart() {
    for (int i = 0; i < 500; i++) {
      assertThat(segment.addCharged(key(i), bucket, () -> NOW, NOW, 1 + i % 9))
          .isEqualTo(TokenBucketMeter.CHARGED);
    }

    assertThat(segment.cells().capacity).isBetween(667, 1_000);
    for (int i = 0; i < 500; i++) {
      assertThat(used(key(i), NOW)).isEqualTo(1 + i % 9);
    }
  }
}
