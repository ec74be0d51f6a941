package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How {@link Traffic} measures time, on the real clock. */
@Tag("long")
@Tag("exclusive")
class TrafficTimingLongTest {

  private static boolean standStill() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(400);
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
    return true;
  }

  @Test
  void asksAsOftenAsItIsToldForASecond() throws IOException {
    try (AnsweringServer server = new AnsweringServer(number -> true);
        Traffic traffic = server.traffic(4)) {
      Tally tally = traffic.at(500, Duration.ofSeconds(1));

      assertThat(tally.count()).isEqualTo(500);
      assertThat(tally.wrong() + tally.failed()).isZero();
      assertThat(server.requests()).isEqualTo(500);
    }
  }

  @Test
  void countsTimeFromWhenARequestWasDue() throws IOException {
    try (AnsweringServer server = new AnsweringServer(number -> number != 100 || standStill());
        Traffic traffic = server.traffic(1)) {
      Tally tally = traffic.at(1_000, Duration.ofSeconds(1));

      // One request waited for 400 ms; and 400 were due meanwhile, half of them for 200 ms on.
      assertThat(tally.count()).isEqualTo(1_000);
      assertThat(tally.micros(99)).isGreaterThan(350_000);
      assertThat(tally.micros(80)).isBetween(150_000.0, 300_000.0);
    }
  }

  @Test
  void asksAgainAsSoonAsItIsAnswered() throws IOException {
    try (AnsweringServer server = new AnsweringServer(number -> true);
        Traffic traffic = server.traffic(2)) {
      Tally tally = traffic.asFastAsItGoes(Duration.ofMillis(300));

      assertThat(tally.count()).isEqualTo(server.requests()).isGreaterThan(50);
      assertThat(tally.wrong() + tally.failed()).isZero();
    }
  }
}
