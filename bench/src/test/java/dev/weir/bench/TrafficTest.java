package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TrafficTest {

  @Test
  void asksAsOftenAsItIsTold() throws IOException {
    try (AnsweringServer server = new AnsweringServer(number -> true);
        Traffic traffic = server.traffic(4)) {
      Tally tally = traffic.at(5_000, Duration.ofMillis(100));

      assertThat(tally.count()).isEqualTo(500);
      assertThat(tally.wrong() + tally.failed()).isZero();
      assertThat(server.requests()).isEqualTo(500);
    }
  }

  @Test
  void countsEveryRequestOfAStretchAtFullSpeed() throws IOException {
    try (AnsweringServer server = new AnsweringServer(number -> true);
        Traffic traffic = server.traffic(2)) {
      Tally tally = traffic.asFastAsItGoes(Duration.ofMillis(50));

      assertThat(tally.count()).isEqualTo(server.requests()).isPositive();
      assertThat(tally.wrong() + tally.failed()).isZero();
    }
  }

  @Test
  void saysWhenTheServerHangsUp() throws IOException {
    try (AnsweringServer server = new AnsweringServer(number -> number != 20);
        Traffic traffic = server.traffic(2)) {
      assertThatThrownBy(() -> traffic.at(1_000, Duration.ofSeconds(1)))
          .isInstanceOfAny(IllegalStateException.class, UncheckedIOException.class);
    }
  }
}
