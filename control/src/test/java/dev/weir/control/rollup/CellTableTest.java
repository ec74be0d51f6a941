package dev.weir.control.rollup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class CellTableTest {
  @Test
  void findsTheSameCellAgain() {
    CellTable table = new CellTable(100);
    Cell cell = table.find("chat", "free", "endpoint:chat");
    assertThat(table.find("chat", "free", "endpoint:" + "chat")).isSameAs(cell);
    assertThat(table.find("free", "chat", "endpoint:chat")).isNotSameAs(cell);
    assertThat(table.find("chat", "free", "")).isNotSameAs(cell);
    // And the shared one.
    assertThat(table.cells()).hasSize(4);
  }

  @Test
  void beyondTheBoundAllShareOne() {
    CellTable table = new CellTable(100);
    for (int i = 0; i < 100; i++) {
      assertThat(table.find("e" + i, "", "").endpoint).isEqualTo("e" + i);
    }
    assertThat(table.isFull()).isTrue();
    for (int i = 100; i < 10_000; i++) {
      assertThat(table.find("e" + i, "", "").endpoint).isEqualTo(CellTable.OTHER);
    }
    assertThat(table.cells()).hasSize(101);
    assertThat(table.find("e7", "", "").endpoint).isEqualTo("e7");
  }

  @Test
  void cellsThatNobodyUsesMakeRoom() {
    CellTable table = new CellTable(100);
    for (int i = 0; i < 100; i++) {
      table.find("e" + i, "", "").lastMinute = i;
    }
    List<Cell> unused = table.unusedSince(60);
    assertThat(unused).hasSize(60);
    CellTable smaller = table.without(unused);
    assertThat(smaller.isFull()).isFalse();
    assertThat(smaller.find("e99", "", "")).isSameAs(table.find("e99", "", ""));
    assertThat(smaller.find("e0", "", "")).isNotSameAs(table.find("e0", "", ""));
    assertThat(smaller.cells()).hasSize(42);
  }

  @Test
  void threadsAgreeOnTheCellsAndCountAll() throws Exception {
    CellTable table = new CellTable(50);
    Set<Cell> seen = ConcurrentHashMap.newKeySet();
    Runnable count =
        () -> {
          for (int i = 0; i < 20_000; i++) {
            Cell cell = table.find("e" + i % 60, "", "");
            seen.add(cell);
            cell.count(i % 7, Outcome.THROTTLED, i % LatencySketch.BUCKETS);
          }
        };
    ExecutorService threads = Executors.newFixedThreadPool(4);
    Tally tally = new Tally();
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        all.add(threads.submit(count));
      }
      while (!all.stream().allMatch(Future::isDone)) {
        drain(table, tally);
      }
      for (Future<?> each : all) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    drain(table, tally);
    assertThat(tally.throttled).isEqualTo(80_000);
    assertThat(tally.latency.count()).isEqualTo(80_000);
    assertThat(tally.allowed + tally.blocked).isZero();
    assertThat(table.cells()).containsAll(seen).hasSizeLessThanOrEqualTo(51);
  }

  private static void drain(CellTable table, Tally target) {
    for (Cell cell : table.cells()) {
      for (int index = 0; index < Cell.MINUTES; index++) {
        cell.drain(index, target);
      }
    }
  }
}
