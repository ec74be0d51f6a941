package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CellsTest {
  private static final TokenBucketMeter BUCKET = (TokenBucketMeter) Meter.of(Limit.parse("10/s"));
  private static final StateKind LOG = Meter.of(Limit.parse("10/s sliding_log"));
  private static final StateKind WINDOW = Meter.of(Limit.parse("10/s fixed_window"));

  private final Cells cells = Cells.wide(8, 2, true);

  /** A fingerprint whose first slot among eight is that one. */
  private static long homedAt(int slot, long number) {
    return number << 40 | (long) slot << 29;
  }

  private int add(long fingerprint) {
    int at = cells.vacancy(fingerprint);
    cells.publish(at, fingerprint, 7);
    return at;
  }

  @Test
  void findsWhatWasAdded() {
    long one = homedAt(3, 1);
    assertThat(cells.find(one)).isEqualTo(-1);
    int at = add(one);

    assertThat(at).isEqualTo(3 * cells.stride);
    assertThat(cells.find(one)).isEqualTo(at);
    assertThat(cells.head(at)).isEqualTo(7);
    assertThat(cells.find(homedAt(3, 2))).isEqualTo(-1);
  }

  @Test
  void probesTheNextSlotsAndWrapsAround() {
    assertThat(add(homedAt(6, 1))).isEqualTo(6 * cells.stride);
    assertThat(add(homedAt(6, 2))).isEqualTo(7 * cells.stride);
    assertThat(add(homedAt(6, 3))).isZero();
    assertThat(add(homedAt(7, 4))).isEqualTo(cells.stride);

    assertThat(cells.find(homedAt(6, 1))).isEqualTo(6 * cells.stride);
    assertThat(cells.find(homedAt(6, 2))).isEqualTo(7 * cells.stride);
    assertThat(cells.find(homedAt(6, 3))).isZero();
    assertThat(cells.find(homedAt(7, 4))).isEqualTo(cells.stride);
    assertThat(cells.find(homedAt(7, 5))).isEqualTo(-1);
  }

  @Test
  void probesOverDroppedSlots() {
    int first = add(homedAt(2, 1));
    add(homedAt(2, 2));
    cells.words[first] = Cells.DROPPED;

    assertThat(cells.find(homedAt(2, 1))).isEqualTo(-1);
    assertThat(cells.find(homedAt(2, 2))).isEqualTo(3 * cells.stride);
    assertThat(cells.vacancy(homedAt(2, 3))).isEqualTo(4 * cells.stride);
  }

  @Test
  void homesAreSpreadByTheLow32Bits() {
    assertThat(cells.vacancy(0xffff_ffffL)).isEqualTo(7 * cells.stride);
    assertThat(cells.vacancy(0xabcd_0000_0000L)).isZero();
    assertThat(cells.vacancy(-1L)).isEqualTo(7 * cells.stride);
    assertThat(cells.vacancy(0x8000_0000L)).isEqualTo(4 * cells.stride);
  }

  @Test
  void narrowCellsAreTwoWordsAndTheHeadIsTheState() {
    Cells narrow = Cells.narrow(8, BUCKET);

    assertThat(narrow.stride).isEqualTo(2);
    assertThat(narrow.words).hasSize(16);
    assertThat(narrow.state(6)).isEqualTo(7);
    assertThat(narrow.accepts(BUCKET)).isTrue();
    assertThat(narrow.accepts(Meter.of(Limit.parse("11/s")))).isFalse();
    assertThat(narrow.accepts(WINDOW)).isFalse();
  }

  @Test
  void wideCellsAcceptWhatFits() {
    assertThat(cells.stride).isEqualTo(4);
    assertThat(cells.state(8)).isEqualTo(10);
    assertThat(cells.accepts(WINDOW)).isTrue();
    assertThat(cells.accepts(BUCKET)).isTrue();
    assertThat(cells.accepts(LOG)).isFalse();
    assertThat(Cells.wide(8, 3, true).accepts(LOG)).isTrue();
    assertThat(Cells.wide(8, 3, false).accepts(LOG)).isFalse();
    assertThat(Cells.wide(8, 3, false).accepts(WINDOW)).isTrue();
  }

  @Test
  void aHeadIsExchangedOnlyIfItIsAsExpected() {
    int at = add(homedAt(1, 1));

    assertThat(cells.exchangeHead(at, 6, 8)).isFalse();
    assertThat(cells.head(at)).isEqualTo(7);
    assertThat(cells.exchangeHead(at, 7, 8)).isTrue();
    assertThat(cells.head(at)).isEqualTo(8);
  }

  @Test
  void aLockIsGivenBackWithTheNextHead() {
    int at = add(homedAt(1, 1));

    assertThat(cells.lock(at)).isEqualTo(7);
    assertThat(cells.head(at)).isEqualTo(Cells.LOCKED);
    cells.unlock(at, 9);
    assertThat(cells.head(at)).isEqualTo(9);
  }

  @Test
  void aCellThatIsGoneCannotBeLocked() {
    int at = add(homedAt(1, 1));

    assertThat(cells.remove(at)).isEqualTo(7);
    assertThat(cells.lock(at)).isEqualTo(Cells.GONE);
    assertThat(cells.head(at)).isEqualTo(Cells.GONE);
  }

  @Test
  void lockAndRemoveWaitForTheHolder() {
    int at = add(homedAt(1, 1));
    cells.lock(at);
    CompletableFuture<Long> next = CompletableFuture.supplyAsync(() -> cells.lock(at));
    for (int i = 0; i < 1_000; i++) {
      Cells.pause(i);
    }
    assertThat(next).isNotDone();
    cells.unlock(at, 11);
    assertThat(next.join()).isEqualTo(11);

    CompletableFuture<Long> removed = CompletableFuture.supplyAsync(() -> cells.remove(at));
    for (int i = 0; i < 1_000; i++) {
      Cells.pause(i);
    }
    assertThat(removed).isNotDone();
    cells.unlock(at, 12);
    assertThat(removed.join()).isEqualTo(12);
  }

  @Test
  void copiesAStateWithItsLog() {
    Cells source = Cells.wide(8, 3, true);
    Cells target = Cells.wide(16, 4, true);
    int from = source.state(5 * source.stride);
    int to = target.state(9 * target.stride);
    ((Meter) LOG).charge(source, from, 1_000, 5);
    target.copyState(to, source, from, LOG);

    assertThat(((Meter) LOG).used(target, to, 1_000)).isEqualTo(5);
    assertThat(target.log(to)).isSameAs(source.log(from));
    assertThat(target.words[to + 3]).isZero();
  }

  @Test
  void copiesNoLogForAKindWithoutOne() {
    Cells source = Cells.wide(8, 2, false);
    Cells target = Cells.wide(8, 3, true);
    source.words[source.state(0)] = 5;
    source.words[source.state(0) + 1] = 6;
    target.copyState(target.state(0), source, source.state(0), WINDOW);

    assertThat(target.words).startsWith(0, 0, 5, 6, 0);
    assertThat(target.log(target.state(0))).isEmpty();
  }
}
