package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CounterTableTest {
  private static final long NOW = Micros.of(Instant.parse("2026-03-01T10:00:00Z"));
  private static final long SECOND = 1_000_000;

  private final CounterTable table = new CounterTable(4);
  private final TokenBucketMeter bucket =
      (TokenBucketMeter) table.meter(Limit.parse("1/s burst 9"));
  private final Meter window = table.meter(Limit.parse("9/m fixed_window"));

  private static long key(long number) {
    return 0x1357_9bdf_0000_0000L + number * 0x9e37_79b9L;
  }

  private int charge(CounterTable to, long fingerprint, long now, long cost) {
    Segment segment = to.segment(fingerprint);
    if (segment != null && segment.cells().find(fingerprint) >= 0) {
      Narrow.usedLongAgo(segment.cells(), segment.cells().find(fingerprint));
    }
    return to.tryCharge(
        fingerprint, (TokenBucketMeter) to.meter(Limit.parse("1/s burst 9")), () -> now, now, cost);
  }

  @Test
  void hashesThatMeanSomethingElseAreMoved() {
    assertThat(CounterTable.fingerprint(Cells.EMPTY)).isEqualTo(3);
    assertThat(CounterTable.fingerprint(Cells.DROPPED)).isEqualTo(4);
    assertThat(CounterTable.fingerprint(Cells.ALONE)).isEqualTo(5);
    assertThat(CounterTable.fingerprint(3)).isEqualTo(3);
    assertThat(CounterTable.fingerprint(-1)).isEqualTo(-1);
    assertThat(CounterTable.fingerprint(Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void limitsThatCountAlikeShareAMeter() {
    assertThat(table.meter(Limit.parse("1/s burst 9"))).isSameAs(bucket);
    assertThat(table.meter(Limit.parse("1/1000ms burst 9"))).isSameAs(bucket);
    assertThat(table.meter(Limit.parse("60/m burst 9"))).isNotSameAs(bucket);
    assertThat(table.meter(Limit.parse("5/m fixed_window"))).isSameAs(window);
    assertThat(table.meter(Limit.parse("1/s burst 8"))).isNotSameAs(bucket);
    assertThat(table.meter(Limit.parse("5/2m fixed_window"))).isNotSameAs(window);
  }

  @Test
  void kindsHaveNumbers() {
    PenaltyState other = new PenaltyState(new Penalty(Period.SHORTEST, 1, List.of(1)));

    assertThat(table.number(bucket)).isZero();
    assertThat(table.number(window)).isEqualTo(1);
    assertThat(table.number(other)).isEqualTo(2);
    assertThat(table.number(other)).isEqualTo(2);
    assertThat(table.kind(0)).isSameAs(bucket);
    assertThat(table.kind(1)).isSameAs(window);
    assertThat(table.kind(2)).isSameAs(other);
  }

  @Test
  void tablesAreNumberedInTheOrderTheyWereMade() {
    assertThat(new CounterTable(1).id).isGreaterThan(table.id);
  }

  @Test
  void hasNoCellsUntilAKeyIsAdded() {
    assertThat(table.segment(key(1))).isNull();
    assertThat(charge(table, key(1), NOW, 1)).isEqualTo(TokenBucketMeter.LOOK_AGAIN);
    assertThat(table.add(key(1), bucket, NOW)).isTrue();

    assertThat(table.statistics()).isEqualTo(new MemoryStatistics(1, 0, 0));
    assertThat(charge(table, key(1), NOW, 9)).isEqualTo(TokenBucketMeter.CHARGED);
    assertThat(charge(table, key(1), NOW, 1)).isEqualTo(TokenBucketMeter.REFUSED);
    assertThat(charge(table, key(2), NOW, 9)).isEqualTo(TokenBucketMeter.CHARGED);
    assertThat(charge(table, key(2), NOW, 1)).isEqualTo(TokenBucketMeter.REFUSED);
    assertThat(table.statistics()).isEqualTo(new MemoryStatistics(2, 0, 0));
  }

  @Test
  void theShortWayIsForCellsOfItsMeterOnly() {
    table.add(key(1), window, NOW);

    assertThat(charge(table, key(1), NOW, 1)).isEqualTo(TokenBucketMeter.LOOK_AGAIN);
  }

  @Test
  void addingAKeyAgainChangesNothing() {
    table.add(key(1), bucket, NOW);
    charge(table, key(1), NOW, 9);

    assertThat(table.add(key(1), bucket, NOW)).isTrue();
    assertThat(table.statistics().liveKeys()).isEqualTo(1);
    assertThat(charge(table, key(1), NOW, 1)).isEqualTo(TokenBucketMeter.REFUSED);
  }

  @Test
  void isBoundedByItsMostKeys() {
    for (int i = 0; i < 4; i++) {
      assertThat(table.isFull()).isFalse();
      assertThat(table.add(key(i), bucket, NOW)).isTrue();
      charge(table, key(i), NOW, 1);
    }

    assertThat(table.isFull()).isTrue();
    assertThat(table.reserve()).isFalse();
    assertThat(table.add(key(9), bucket, NOW)).isFalse();
    assertThat(table.statistics()).isEqualTo(new MemoryStatistics(4, 0, 0));
  }

  @Test
  void aRecoveredCellMakesWayAtTheVeryInstant() {
    for (int i = 0; i < 4; i++) {
      table.add(key(i), bucket, NOW);
      charge(table, key(i), NOW, 3 + i);
    }

    assertThat(table.add(key(9), bucket, NOW + 3 * SECOND - 1)).isFalse();
    assertThat(table.add(key(9), bucket, NOW + 3 * SECOND)).isTrue();
    assertThat(table.statistics()).isEqualTo(new MemoryStatistics(4, 1, 0));
    assertThat(charge(table, key(0), NOW + 3 * SECOND, 1)).isEqualTo(TokenBucketMeter.LOOK_AGAIN);
    assertThat(charge(table, key(1), NOW + 3 * SECOND, 9)).isEqualTo(TokenBucketMeter.REFUSED);
  }

  @Test
  void everyRecoveredCellOfAPassIsDropped() {
    for (int i = 0; i < 4; i++) {
      table.add(key(i), bucket, NOW);
      charge(table, key(i), NOW, 2);
    }
    table.add(key(9), bucket, NOW + 2 * SECOND);

    assertThat(table.statistics()).isEqualTo(new MemoryStatistics(1, 4, 0));
  }

  @Test
  void wideCellsAreDroppedToo() {
    for (int i = 0; i < 4; i++) {
      table.add(key(i), window, NOW);
      Cells cells = cells(key(i));
      window.charge(cells, cells.state(cells.find(key(i))), NOW, 1);
    }

    assertThat(table.add(key(9), window, NOW + 59 * SECOND)).isFalse();
    assertThat(table.add(key(9), window, NOW + 60 * SECOND)).isTrue();
    assertThat(table.statistics()).isEqualTo(new MemoryStatistics(1, 4, 0));
  }

  private Cells cells(long fingerprint) {
    Segment segment = table.segment(fingerprint);
    assertThat(segment).isNotNull();
    return segment == null ? Cells.wide(1, 0, false) : segment.cells();
  }

  @Test
  void theSweepComesToEveryCellInSteps() {
    int keys = 3_000;
    CounterTable large = new CounterTable(keys);
    TokenBucketMeter meter = (TokenBucketMeter) large.meter(Limit.parse("1/s burst 9"));
    for (int i = 0; i < keys; i++) {
      assertThat(large.add(key(i), meter, NOW)).isTrue();
      charge(large, key(i), NOW, i == 1_234 ? 1 : 9);
    }
    long later = NOW + SECOND;
    int attempts = 1;
    while (!large.add(key(keys), meter, later) && attempts < 1_000) {
      attempts++;
    }

    // One step looks at 64 slots, and at least a quarter of the slots is empty.
    assertThat(attempts).isBetween(2, 8 * keys / 64);
    assertThat(large.statistics()).isEqualTo(new MemoryStatistics(keys, 1, 0));
  }

  @Test
  void theSweepDoesNotLookBeforeSomethingCanBeForgotten() {
    for (int i = 0; i < 4; i++) {
      table.add(key(i), bucket, NOW);
      charge(table, key(i), NOW, 5);
    }
    assertThat(table.add(key(9), bucket, NOW)).isFalse();
    Cells cells = cells(key(0));
    cells.unlock(cells.find(key(0)), 0);

    // The pass has seen that nothing recovers within 5 s, and was not told of the change.
    assertThat(table.add(key(9), bucket, NOW + SECOND)).isFalse();
    table.relieved();
    assertThat(table.add(key(9), bucket, NOW + SECOND)).isTrue();
  }

  @Test
  void severalSegmentsShareTheBound() {
    CounterTable large = new CounterTable(100_000);
    TokenBucketMeter meter = (TokenBucketMeter) large.meter(Limit.parse("1/s burst 9"));
    Random random = new Random(3);
    long[] fingerprints = random.longs(100_000).toArray();
    for (long fingerprint : fingerprints) {
      assertThat(large.add(fingerprint, meter, NOW)).isTrue();
      charge(large, fingerprint, NOW, 9);
    }

    assertThat(large.isFull()).isTrue();
    assertThat(large.add(random.nextLong(), meter, NOW)).isFalse();
    for (long fingerprint : fingerprints) {
      assertThat(charge(large, fingerprint, NOW, 1)).isEqualTo(TokenBucketMeter.REFUSED);
    }
    // Passes go over all segments, however often they have to.
    int added = 0;
    for (int i = 0; i < 50_000; i++) {
      added += large.add(random.nextLong(), meter, NOW + 9 * SECOND) ? 1 : 0;
    }
    assertThat(added).isGreaterThan(45_000);
    assertThat(large.statistics().liveKeys()).isLessThanOrEqualTo(100_000);
  }

  @Test
  void theCellsOfTheOverflowAndOfNoKeyAreMadeOnce() {
    assertThat(table.overflow(bucket)).isSameAs(table.overflow(bucket));
    assertThat(table.alone(bucket)).isSameAs(table.alone(window));
    assertThat(table.alone(bucket)).isNotSameAs(table.overflow(bucket));
    Cells cells = table.alone(bucket).cells();
    assertThat(cells.words[cells.aloneAt()]).isEqualTo(Cells.ALONE);
  }

  @Test
  void knowsWhatIsUsedOfTheOverflow() {
    assertThat(table.overflowUsed(bucket, NOW)).isZero();
    Cells cells = table.overflow(bucket).cells();
    Narrow.usedLongAgo(cells, cells.aloneAt());
    bucket.tryCharge(cells.words, cells.aloneAt(), NOW, 5);

    assertThat(table.overflowUsed(bucket, NOW)).isEqualTo(5);
    assertThat(table.overflowUsed(window, NOW + 2 * SECOND)).isEqualTo(3);
    table.overflow(bucket).widen(window, NOW);
    assertThat(table.overflowUsed(window, NOW + 2 * SECOND)).isEqualTo(3);
    assertThat(cells.head(cells.aloneAt())).isEqualTo(Cells.GONE);
  }

  private static Set<Segment> segmentsOf(CounterTable large, long... fingerprints) {
    Set<Segment> segments = new HashSet<>();
    for (long fingerprint : fingerprints) {
      Segment segment = large.segment(fingerprint);
      assertThat(segment).isNotNull();
      if (segment != null) {
        assertThat(segment.cells().find(fingerprint)).isNotNegative();
        segments.add(segment);
      }
    }
    return segments;
  }

  @Test
  void fewKeysAreInOneSegmentAndManyInManyAsTheyCome() {
    CounterTable large = new CounterTable(100_000);
    Meter meter = large.meter(Limit.parse("1/s burst 9"));
    long[] fingerprints = new Random(4).longs(40_000).toArray();
    int added = 0;
    for (int keys : List.of(1_000, 4_000, 40_000)) {
      for (; added < keys; added++) {
        assertThat(large.add(fingerprints[added], meter, NOW)).isTrue();
        charge(large, fingerprints[added], NOW, 1 + added % 9);
      }
      int segments = segmentsOf(large, Arrays.copyOf(fingerprints, added)).size();
      assertThat(segments).isBetween(keys / 4_096, 1 + keys / 1_024);
    }

    assertThat(large.statistics()).isEqualTo(new MemoryStatistics(40_000, 0, 0));
    for (int i = 0; i < added; i++) {
      assertThat(charge(large, fingerprints[i], NOW, 9 - i % 9))
          .isEqualTo(TokenBucketMeter.REFUSED);
    }
  }

  @Test
  void aCompactOneStaysInOneSegment() {
    CounterTable compact = new CounterTable(100_000, true);
    Meter meter = compact.meter(Limit.parse("1/s burst 9"));
    long[] fingerprints = new Random(4).longs(10_000).toArray();
    for (long fingerprint : fingerprints) {
      compact.add(fingerprint, meter, NOW);
      charge(compact, fingerprint, NOW, 1);
    }

    assertThat(segmentsOf(compact, fingerprints)).hasSize(1);
  }

  @Test
  void whatIsWideOrHasALogSplitsToo() {
    CounterTable small = new CounterTable(1_000, false, 8);
    Meter log = small.meter(Limit.parse("9/m sliding_log"));
    long[] fingerprints = new Random(5).longs(500).toArray();
    for (int i = 0; i < fingerprints.length; i++) {
      assertThat(small.add(fingerprints[i], log, NOW)).isTrue();
      Segment segment = small.segment(fingerprints[i]);
      if (segment != null) {
        Cells cells = segment.cells();
        log.charge(cells, cells.state(cells.find(fingerprints[i])), NOW, 1 + i % 9);
      }
    }

    assertThat(segmentsOf(small, fingerprints)).hasSizeBetween(60, 128);
    for (int i = 0; i < fingerprints.length; i++) {
      Segment segment = small.segment(fingerprints[i]);
      Cells cells = segment == null ? Cells.wide(1, 0, false) : segment.cells();
      assertThat(log.used(cells, cells.state(cells.find(fingerprints[i])), NOW))
          .isEqualTo(1 + i % 9);
    }
  }

  @Test
  void theSweepComesToEverySegmentHoweverManyEntriesItHas() {
    CounterTable small = new CounterTable(200, false, 8);
    TokenBucketMeter meter = (TokenBucketMeter) small.meter(Limit.parse("1/s burst 9"));
    long[] fingerprints = new Random(6).longs(400).toArray();
    for (int i = 0; i < 200; i++) {
      assertThat(small.add(fingerprints[i], meter, NOW)).isTrue();
      charge(small, fingerprints[i], NOW, 9);
    }
    // All of those have recovered: each makes way for another, within one pass.
    long later = NOW + 9 * SECOND;
    for (int i = 200; i < 400; i++) {
      int attempts = 0;
      while (!small.add(fingerprints[i], meter, later)) {
        assertThat(attempts++).isLessThan(64);
      }
      charge(small, fingerprints[i], later, 9);
    }

    assertThat(small.statistics()).isEqualTo(new MemoryStatistics(200, 200, 0));
  }

  @Test
  void theShortWayLeadsToTheOverflowWhenNothingCanBeForgotten() {
    for (int i = 0; i < 4; i++) {
      table.add(key(i), bucket, NOW);
      charge(table, key(i), NOW, 5);
    }
    assertThat(charge(table, key(9), NOW, 1)).isEqualTo(TokenBucketMeter.LOOK_AGAIN);
    Cells overflow = table.overflow(bucket).cells();
    Narrow.usedLongAgo(overflow, overflow.aloneAt());
    assertThat(charge(table, key(9), NOW, 1)).isEqualTo(TokenBucketMeter.LOOK_AGAIN);
    table.add(key(9), bucket, NOW);

    assertThat(charge(table, key(9), NOW, 8)).isEqualTo(TokenBucketMeter.CHARGED);
    assertThat(charge(table, key(10), NOW, 2)).isEqualTo(TokenBucketMeter.REFUSED);
    assertThat(table.overflowUsed(bucket, NOW)).isEqualTo(8);
    assertThat(table.statistics().overflowed()).isEqualTo(2);
    assertThat(charge(table, key(10), NOW + 5 * SECOND, 1)).isEqualTo(TokenBucketMeter.LOOK_AGAIN);
    table.overflow(bucket).widen(window, NOW);
    assertThat(charge(table, key(10), NOW, 1)).isEqualTo(TokenBucketMeter.LOOK_AGAIN);
    assertThat(table.statistics().overflowed()).isEqualTo(2);
  }

  @Test
  void nobodyRestsForAWhileAfterItWasFull() {
    assertThat(table.letsRest(NOW)).isTrue();
    for (int i = 0; i < 5; i++) {
      table.add(key(i), bucket, NOW);
    }

    assertThat(table.letsRest(NOW)).isFalse();
    assertThat(table.letsRest(NOW + Segment.REST_MICROS - 1)).isFalse();
    assertThat(table.letsRest(NOW + Segment.REST_MICROS)).isTrue();
    assertThat(table.letsRest(NOW - Segment.REST_MICROS)).isTrue();
  }

  @Test
  void inACompactOneNobodyRests() {
    CounterTable compact = new CounterTable(1_000_000, true);
    assertThat(compact.letsRest(NOW)).isFalse();

    long keys = 10_000;
    for (int i = 0; i < keys; i++) {
      compact.add(key(i), compact.meter(Limit.parse("1/s")), NOW + i * SECOND);
    }

    // None of them was ever charged, so all but the latest have made way.
    MemoryStatistics statistics = compact.statistics();
    assertThat(statistics.liveKeys()).isLessThan(keys / 100);
    assertThat(statistics.dropped() + statistics.liveKeys()).isEqualTo(keys);
  }
}
