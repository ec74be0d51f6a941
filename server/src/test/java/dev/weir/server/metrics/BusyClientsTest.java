package dev.weir.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.server.metrics.BusyClients.Busy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BusyClientsTest {
  private static final long SEED = 20260301;
  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  private static final long START_MICROS = START.getEpochSecond() * 1_000_000;

  private final ManualTime time = TimeSource.manual(START);
  private final BusyClients busy = new BusyClients(time, Duration.ofMinutes(10));

  private void refused(String client, int times) {
    for (int i = 0; i < times; i++) {
      busy.refused(client);
    }
  }

  private List<String> names(int most) {
    return busy.top(most).clients().stream().map(Busy::client).toList();
  }

  @Test
  void aFewClientsAreCountedExactly() {
    refused("user:b", 2);
    refused("user:a", 2);
    refused("ip:10.0.0.1", 5);
    assertThat(busy.top(20).clients())
        .containsExactly(
            new Busy("ip:10.0.0.1", 5, 5), new Busy("user:a", 2, 2), new Busy("user:b", 2, 2));
    assertThat(names(1)).containsExactly("ip:10.0.0.1");
  }

  @Test
  void findsTheTrueTopTenAmongAMillionClients() {
    int clients = 1_000_000;
    int refusals = 3_000_000;
    Zipf zipf = new Zipf(clients, SEED);
    int[] truth = new int[clients];
    for (int i = 0; i < refusals; i++) {
      int client = zipf.next();
      truth[client]++;
      busy.refused("user:" + client);
    }
    List<Integer> mostRefused =
        IntStream.range(0, clients)
            .boxed()
            .sorted(Comparator.comparing(client -> -truth[client]))
            .limit(10)
            .toList();
    List<Busy> found = busy.top(10).clients();
    assertThat(found)
        .extracting(Busy::client)
        .containsExactlyElementsOf(mostRefused.stream().map(client -> "user:" + client).toList());
    for (int i = 0; i < 10; i++) {
      assertThat((long) truth[mostRefused.get(i)])
          .isBetween(found.get(i).atLeast(), found.get(i).atMost());
      assertThat(found.get(i).atMost() - found.get(i).atLeast()).isLessThan(refusals / 500);
    }
  }

  @Test
  void oneClientStandsOutOfAFloodOfOthers() {
    for (int i = 0; i < 300_000; i++) {
      busy.refused("ip:" + i);
      if (i % 100 == 0) {
        busy.refused("user:mallory");
      }
    }
    Busy first = busy.top(1).clients().get(0);
    assertThat(first.client()).isEqualTo("user:mallory");
    assertThat(first.atMost()).isGreaterThanOrEqualTo(3_000);
    assertThat(first.atLeast()).isBetween(1L, 3_000L);
  }

  @Test
  void whatHappenedTwoHalvesAgoIsForgotten() {
    refused("user:early", 100);
    assertThat(busy.top(20).sinceMicros()).isEqualTo(START_MICROS);
    time.advance(Duration.ofMinutes(10));
    refused("user:late", 10);
    assertThat(names(20)).containsExactly("user:early", "user:late");
    assertThat(busy.top(20).sinceMicros()).isEqualTo(START_MICROS);
    time.advance(Duration.ofMinutes(10));
    assertThat(busy.top(20).clients()).containsExactly(new Busy("user:late", 10, 10));
    assertThat(busy.top(20).sinceMicros()).isEqualTo(START_MICROS + 600_000_000);
  }

  @Test
  void aClientIsCountedInBothHalves() {
    refused("user:a", 3);
    time.advance(Duration.ofMinutes(19));
    refused("user:a", 4);
    assertThat(busy.top(20).clients()).containsExactly(new Busy("user:a", 7, 7));
  }

  @Test
  void afterALongRestNothingIsOfLate() {
    refused("user:a", 3);
    time.advance(Duration.ofMinutes(20));
    assertThat(busy.top(20).clients()).isEmpty();
    assertThat(busy.top(20).sinceMicros()).isEqualTo(START_MICROS + 1_200_000_000);
  }

  @Test
  void threadsLoseNothing() throws InterruptedException, ExecutionException {
    int times = 20_000;
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      String own = "user:" + i;
      running.add(
          threads.submit(
              () -> {
                refused(own, times);
                refused("user:all", times);
              }));
    }
    long before = 0;
    for (int i = 0; i < 200; i++) {
      long now = busy.top(20).clients().stream().mapToLong(Busy::atLeast).sum();
      assertThat(now).isGreaterThanOrEqualTo(before);
      before = now;
    }
    for (Future<?> task : running) {
      task.get();
    }
    threads.shutdown();
    assertThat(busy.top(20).clients())
        .containsExactly(
            new Busy("user:all", 4L * times, 4L * times),
            new Busy("user:0", times, times),
            new Busy("user:1", times, times),
            new Busy("user:2", times, times),
            new Busy("user:3", times, times));
  }

  @Test
  @DisplayName("T69: a hundred thousand ids that a String hashes alike are counted like any others")
  void idsThatCollideAreNoWorseThanOthers() {
    for (int i = 0; i < 100_000; i++) {
      busy.refused(ClientNameTest.withEqualHash(i & 0xffff));
      if (i % 50 == 0) {
        busy.refused("user:mallory");
      }
    }
    Busy first = busy.top(1).clients().get(0);
    assertThat(first.client()).isEqualTo("user:mallory");
    assertThat((double) first.atMost()).isCloseTo(2_000, within(600.0));
  }
}
