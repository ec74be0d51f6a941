package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.Gate;
import dev.weir.policy.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** X-RateLimit-* and Retry-After a microsecond before, at and after the edges of windows. */
class WindowEdgeTest {
  private static final Request REQUEST =
      Request.of("GET", "/", Client.at(Address.parse("192.0.2.9"), 64));
  private static final Instant START = Instant.parse("2026-03-29T12:00:10Z");

  private final ManualTime time = TimeSource.manual(START);

  private String ask(Gate gate) {
    Answer answer = Answer.to(gate.check(REQUEST), Fixtures.responses());
    String reset = answer.fields().get("X-RateLimit-Reset");
    return answer.status()
        + " limit "
        + answer.fields().get("X-RateLimit-Limit")
        + " remaining "
        + answer.fields().get("X-RateLimit-Remaining")
        + " reset "
        + Instant.ofEpochSecond(Long.parseLong(reset)).toString().substring(5)
        + " retry "
        + answer.fields().get("Retry-After");
  }

  @ParameterizedTest(name = "{0} at its edge {1}")
  @CsvSource({
    "2/60s fixed_window, 2026-03-29T12:01:00Z, 03-29T12:01:00Z, 03-29T12:02:00Z",
    "2/60s fixed_window align first_request,"
        + " 2026-03-29T12:01:10Z, 03-29T12:01:10Z, 03-29T12:02:10Z",
    "2/d fixed_window, 2026-03-30T00:00:00Z, 03-30T00:00:00Z, 03-31T00:00:00Z",
    "2/d fixed_window zone Europe/Berlin,"
        + " 2026-03-29T22:00:00Z, 03-29T22:00:00Z, 03-30T22:00:00Z",
    "2/week fixed_window zone Europe/Berlin,"
        + " 2026-03-29T22:00:00Z, 03-29T22:00:00Z, 04-05T22:00:00Z",
    "2/month fixed_window zone Europe/Berlin,"
        + " 2026-03-31T22:00:00Z, 03-31T22:00:00Z, 04-30T22:00:00Z"
  })
  void fixedWindows(String limit, Instant edge, String reset, String nextReset) {
    Gate gate = Fixtures.gate(time, Fixtures.definition(Limit.parse(limit)));
    assertThat(ask(gate)).isEqualTo("200 limit 2 remaining 1 reset " + reset + " retry null");
    assertThat(ask(gate)).isEqualTo("200 limit 2 remaining 0 reset " + reset + " retry null");
    long whole = Duration.between(START, edge).toSeconds();
    assertThat(ask(gate)).isEqualTo("429 limit 2 remaining 0 reset " + reset + " retry " + whole);
    time.set(edge.minusNanos(1_000));
    assertThat(ask(gate)).isEqualTo("429 limit 2 remaining 0 reset " + reset + " retry 1");
    time.set(edge);
    assertThat(ask(gate)).isEqualTo("200 limit 2 remaining 1 reset " + nextReset + " retry null");
    // A window that starts with a request has started at the edge as well.
    time.set(edge.plusNanos(1_000));
    assertThat(ask(gate)).isEqualTo("200 limit 2 remaining 0 reset " + nextReset + " retry null");
    assertThat(ask(gate)).startsWith("429 limit 2 remaining 0 reset " + nextReset);
  }

  @Test
  void aLogForgetsARequestAfterExactlyAWindow() {
    Gate gate = Fixtures.gate(time, Fixtures.definition(Limit.parse("1/60s sliding_log")));
    assertThat(ask(gate)).startsWith("200 limit 1 remaining 0 reset 03-29T12:01:10Z");
    time.advance(Duration.ofSeconds(60).minusNanos(1_000));
    assertThat(ask(gate)).isEqualTo("429 limit 1 remaining 0 reset 03-29T12:01:10Z retry 1");
    time.set(START.plusSeconds(60));
    assertThat(ask(gate)).startsWith("200 limit 1 remaining 0 reset 03-29T12:02:10Z");
  }

  @Test
  void aBucketGivesAPermitBackAfterExactlyItsTime() {
    Gate gate = Fixtures.gate(time, Fixtures.definition(Limit.parse("1/10s burst 2")));
    assertThat(ask(gate)).startsWith("200 limit 2 remaining 1 reset 03-29T12:00:20Z");
    assertThat(ask(gate)).startsWith("200 limit 2 remaining 0 reset 03-29T12:00:30Z");
    time.set(START.plusSeconds(10).minusNanos(1_000));
    assertThat(ask(gate)).isEqualTo("429 limit 2 remaining 0 reset 03-29T12:00:30Z retry 1");
    time.set(START.plusSeconds(10));
    assertThat(ask(gate)).startsWith("200 limit 2 remaining 0 reset 03-29T12:00:40Z");
    time.set(START.plusSeconds(10).plusNanos(1_000));
    assertThat(ask(gate))
        .as("a microsecond is a second when rounded up")
        .isEqualTo("429 limit 2 remaining 0 reset 03-29T12:00:40Z retry 10");
  }

  @Test
  void resetIsRoundedUp() {
    time.set(START.plusNanos(1_000));
    Gate gate = Fixtures.gate(time, Fixtures.definition(Limit.parse("1/10s")));
    assertThat(ask(gate)).startsWith("200 limit 1 remaining 0 reset 03-29T12:00:21Z");
  }

  @Test
  void whoWaitsAsLongAsToldPasses() {
    Random random = new Random(20_260_329);
    List<String> kinds =
        List.of(
            "token_bucket",
            "fixed_window",
            "fixed_window align first_request",
            "sliding_window",
            "sliding_log");
    for (int i = 0; i < 500; i++) {
      String limit =
          "%d/%dms %s"
              .formatted(
                  1 + random.nextInt(5),
                  1 + random.nextInt(100_000),
                  kinds.get(random.nextInt(kinds.size())));
      Gate gate = Fixtures.gate(time, Fixtures.definition(Limit.parse(limit)));
      Answer answer = Answer.to(gate.check(REQUEST), Fixtures.responses());
      while (answer.status() == 200) {
        time.advance(Duration.ofNanos(1_000L * random.nextInt(1_000)));
        answer = Answer.to(gate.check(REQUEST), Fixtures.responses());
      }
      long wait = Long.parseLong(answer.fields().get("Retry-After"));
      assertThat(wait).as(limit).isPositive();
      time.advance(Duration.ofSeconds(wait));
      assertThat(gate.check(REQUEST).isAllowed()).as("%s after %d s", limit, wait).isTrue();
    }
  }
}
