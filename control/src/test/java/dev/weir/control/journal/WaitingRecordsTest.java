package dev.weir.control.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.TestLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class WaitingRecordsTest {
  @Test
  void holdsExactlyAsManyAsAllowed() {
    for (int most : new int[] {1, 2, 3, 7, 8, 9, 1_000}) {
      WaitingRecords waiting = new WaitingRecords(most);
      for (int round = 0; round < 3; round++) {
        for (int i = 1; i <= most; i++) {
          assertThat(waiting.offer(new byte[i])).isEqualTo(i);
        }
        assertThat(waiting.offer(new byte[1])).isEqualTo(WaitingRecords.FULL);
        assertThat(waiting.size()).isEqualTo(most);
        for (int i = 1; i <= most; i++) {
          assertThat(waiting.get(waiting.released() + i - 1)).hasSize(i);
        }
        waiting.release(waiting.claimed());
        assertThat(waiting.size()).isZero();
      }
    }
  }

  @Test
  void recordsStayUntilTheyAreReleased() {
    WaitingRecords waiting = new WaitingRecords(4);
    for (int i = 0; i < 4; i++) {
      waiting.offer(new byte[i]);
    }
    waiting.release(2);

    assertThat(waiting.size()).isEqualTo(2);
    assertThat(waiting.get(2)).hasSize(2);
    assertThat(waiting.offer(new byte[9])).isEqualTo(3);
    assertThat(waiting.get(3)).hasSize(3);
    assertThat(waiting.get(4)).hasSize(9);
  }

  @Test
  void takesNothingOnceItIsClosed() {
    WaitingRecords waiting = new WaitingRecords(4);
    waiting.offer(new byte[1]);
    assertThat(waiting.isClosed()).isFalse();
    waiting.close();
    waiting.close();

    assertThat(waiting.isClosed()).isTrue();
    assertThat(waiting.offer(new byte[1])).isEqualTo(WaitingRecords.CLOSED);
    assertThat(waiting.claimed()).isEqualTo(1);
    assertThat(waiting.size()).isEqualTo(1);
    assertThat(waiting.get(0)).hasSize(1);
  }

  @Test
  void whatManyPutInOneTakesOut() throws Exception {
    int threads = 4;
    int each = TestLevel.amount("weir.control.journal.ring", 20_000, 200_000);
    WaitingRecords waiting = new WaitingRecords(64);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> puts = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        byte name = (byte) thread;
        puts.add(
            executor.submit(
                () -> {
                  for (int i = 0; i < each; i++) {
                    byte[] record = {name, (byte) (i >> 16), (byte) (i >> 8), (byte) i};
                    while (waiting.offer(record) < 0) {
                      Thread.onSpinWait();
                    }
                  }
                }));
      }
      int[] next = new int[threads];
      for (long number = 0; number < (long) threads * each; ) {
        long until = waiting.claimed();
        for (; number < until; number++) {
          byte[] record = waiting.get(number);
          int i = ((record[1] & 0xff) << 16) | ((record[2] & 0xff) << 8) | (record[3] & 0xff);
          assertThat(i).isEqualTo(next[record[0]]++);
        }
        waiting.release(until);
      }
      assertThat(next).containsOnly(each);
      for (Future<?> put : puts) {
        put.get();
      }
    } finally {
      executor.shutdownNow();
    }
  }
}
