package dev.weir.control.rollup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.control.journal.JournalOptions;
import dev.weir.control.outbox.Decisions;
import dev.weir.control.outbox.Outbox;
import dev.weir.control.outbox.OutboxRecords;
import dev.weir.policy.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RollupObserverTest {
  private static final Instant START = Instant.parse("2026-11-16T10:00:00Z");

  @TempDir Path folder = Path.of("");

  private final ManualTime time = TimeSource.manual(START);
  private final Decisions decisions = new Decisions(time);

  private static List<Delta> deltas(Outbox outbox) throws InterruptedException {
    outbox.flush();
    List<Delta> deltas = new ArrayList<>();
    for (byte[] record : OutboxRecords.all(outbox)) {
      if (record[0] == RollupSink.KIND) {
        deltas.addAll(Delta.decode(Arrays.copyOfRange(record, 1, record.length)));
      }
    }
    return deltas;
  }

  @Test
  void putsSumsIntoTheOutboxOnceASecondOfItsOwnAccord() {
    try (Outbox outbox = Outbox.open(folder, JournalOptions.defaults());
        RollupObserver observer = new RollupObserver(outbox, time, "eu", () -> 0, () -> 0)) {
      Verdict verdict = decisions.decide("alice", "/x");
      for (int i = 0; i < 1_000; i++) {
        observer.decided(verdict, 1_000);
      }
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> outbox.waiting() > 0);
      // A thousand decisions, and one or two records.
      assertThat(outbox.waiting()).isLessThanOrEqualTo(2);
      assertThat(observer.dropped()).isZero();
    }
  }

  @Test
  void nothingHappenedIsNotTold() {
    try (Outbox outbox = Outbox.open(folder, JournalOptions.defaults())) {
      RollupObserver observer = new RollupObserver(outbox, time, "eu", () -> 7, () -> 8);
      observer.flush();
      observer.close();
      assertThat(outbox.waiting()).isZero();
    }
  }

  @Test
  void aSumIsOfTheMinuteInWhichItWasCounted() throws Exception {
    try (Outbox outbox = Outbox.open(folder, JournalOptions.defaults())) {
      RollupObserver observer = new RollupObserver(outbox, time, "eu", () -> 0, () -> 0);
      Verdict verdict = decisions.decide("alice", "/x");
      observer.decided(verdict, 1_000);
      time.advance(Duration.ofMinutes(1));
      observer.decided(verdict, 1_000);
      time.advance(Duration.ofMinutes(1));
      // Late, and still of the minutes before.
      observer.close();
      long first = START.getEpochSecond() / 60;
      assertThat(deltas(outbox).stream().map(Delta::minute).toList())
          .containsExactly(first, first + 1);
    }
  }

  @Test
  void manySumsArePackedIntoPayloadsThatTheOutboxTakes() {
    List<Delta> deltas = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      Tally tally = new Tally();
      tally.allowed = i;
      for (int bucket = 0; bucket < LatencySketch.BUCKETS; bucket++) {
        tally.latency.add(bucket, 1L << 35);
      }
      deltas.add(new Delta(i, new Dimensions("日".repeat(600), "", "r" + i, "eu"), tally));
    }
    List<Delta> read = new ArrayList<>();
    for (Delta.Packet packet : Delta.pack(deltas)) {
      assertThat(packet.payload()).hasSizeLessThan(65_536);
      read.addAll(Delta.decode(packet.payload()));
    }
    assertThat(read).hasSize(500);
    for (int i = 0; i < 500; i++) {
      assertThat(read.get(i).minute()).isEqualTo(i);
      assertThat(read.get(i).tally().allowed).isEqualTo(i);
      assertThat(read.get(i).dimensions().endpoint()).hasSize(512);
      assertThat(read.get(i).dimensions().rule()).isEqualTo("r" + i);
      assertThat(read.get(i).tally().latency.count()).isEqualTo(704L << 35);
    }
    assertThat(Delta.pack(List.of())).isEmpty();
  }

  @Test
  void whatTheOutboxDoesNotTakeIsKept() throws Exception {
    JournalOptions tiny =
        JournalOptions.defaults()
            .withSyncInterval(Duration.ofSeconds(60))
            .withMostWaitingRecords(1);
    try (Outbox outbox = Outbox.open(folder, tiny)) {
      RollupObserver observer = new RollupObserver(outbox, time, "eu", () -> 0, () -> 0);
      Verdict verdict = decisions.decide("alice", "/x");
      int fillers = 0;
      while (outbox.put((byte) 9, new byte[1])) {
        fillers++;
      }
      assertThat(fillers).isPositive();
      observer.decided(verdict, 1_000);
      observer.flush();
      observer.decided(verdict, 1_000);
      observer.flush();
      outbox.flush();
      observer.close();
      assertThat(deltas(outbox).stream().mapToLong(delta -> delta.tally().allowed).sum())
          .isEqualTo(2);
      assertThat(observer.dropped()).isZero();
    }
  }
}
