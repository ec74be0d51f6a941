package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CellAccessTest {
  private static final long NOW = Micros.of(Instant.parse("2026-03-01T10:00:00Z"));
  private static final Limit LIMIT = Limit.parse("1/s burst 9");

  private final CounterTable older = new CounterTable(1);
  private final CounterTable newer = new CounterTable(1);

  private static CellAccess located(CounterTable table, long fingerprint) {
    CellAccess access = new CellAccess();
    access.ask(table, fingerprint, table.meter(LIMIT));
    access.locate(true, NOW);
    return access;
  }

  /** Takes the only place. */
  private static void fill(CounterTable table, long fingerprint) {
    table.add(fingerprint, table.meter(LIMIT), NOW);
    Cells cells = Objects.requireNonNull(table.segment(fingerprint)).cells();
    Narrow.usedLongAgo(cells, cells.find(fingerprint));
    table.tryCharge(fingerprint, (TokenBucketMeter) table.meter(LIMIT), () -> NOW, NOW, 9);
  }

  @Test
  void olderTablesAreLockedFirst() {
    CellAccess first = located(older, 9);
    CellAccess second = located(newer, 5);

    assertThat(first.precedes(second)).isTrue();
    assertThat(second.precedes(first)).isFalse();
  }

  @Test
  void keysOfOneTableAreLockedInTheUnsignedOrderOfTheirFingerprints() {
    CellAccess small = new CellAccess();
    CellAccess large = new CellAccess();
    small.ask(older, 5, older.meter(LIMIT));
    large.ask(older, -5, older.meter(LIMIT));

    assertThat(small.precedes(large)).isTrue();
    assertThat(large.precedes(small)).isFalse();
    assertThat(small.precedes(small)).isFalse();
  }

  @Test
  void theOverflowIsLockedLast() {
    fill(older, 9);
    CellAccess own = located(older, 9);
    CellAccess shared = located(older, 5);

    assertThat(shared.overflows()).isTrue();
    assertThat(own.overflows()).isFalse();
    assertThat(own.precedes(shared)).isTrue();
    assertThat(shared.precedes(own)).isFalse();
  }

  @Test
  void aCellThatWasReplacedCannotBeLocked() {
    fill(older, 9);
    CellAccess access = located(older, 9);
    Segment segment = older.segment(9);
    assertThat(segment).isNotNull();
    if (segment != null) {
      segment.widen(older.meter(Limit.parse("1/s sliding_log")), NOW);
    }

    assertThat(access.lock(access, NOW)).isFalse();
    access.locate(true, NOW);
    assertThat(access.lock(access, NOW)).isTrue();
    assertThat(access.used(NOW)).isEqualTo(9);
    access.unlock();
  }

  @Test
  void aKeyThatHasGotItsOwnCellDoesNotUseTheOverflow() {
    fill(older, 9);
    CellAccess access = located(older, 5);
    CellAccess reset = new CellAccess();
    reset.ask(older, 9, older.meter(LIMIT));
    reset.locate(false, NOW);
    assertThat(reset.lock(reset, NOW)).isTrue();
    reset.clear();
    reset.unlock();
    assertThat(older.add(5, older.meter(LIMIT), NOW)).isTrue();

    assertThat(access.lock(access, NOW)).isFalse();
    assertThat(older.overflow(older.meter(LIMIT)).cells().head(0)).isNotEqualTo(Cells.LOCKED);
    assertThat(older.statistics().overflowed()).isZero();
    access.locate(true, NOW);
    assertThat(access.overflows()).isFalse();
  }

  @Test
  void aKeyThatOnlyLooksGetsNoCell() {
    CellAccess access = new CellAccess();
    access.ask(older, 9, older.meter(LIMIT));
    access.locate(false, NOW);

    assertThat(access.isAbsent()).isTrue();
    assertThat(access.overflows()).isFalse();
    assertThat(access.lock(access, NOW)).isTrue();
    assertThat(access.used(NOW)).isZero();
    assertThat(older.statistics().liveKeys()).isZero();
  }
}
