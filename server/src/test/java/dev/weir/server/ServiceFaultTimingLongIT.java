package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Tag;

/** How soon the service answers without its Redis. */
@Tag("long")
class ServiceFaultTimingLongIT extends ServiceFaultsIT {
  /** The deadline is 25 ms; the machine may be busy. */
  private static final long LONGEST_ANSWER_MILLIS = 2_000;

  @Override
  JsonNode answer(TestServer server) {
    long start = System.nanoTime();
    JsonNode answer = super.answer(server);
    assertThat((System.nanoTime() - start) / 1_000_000).isLessThan(LONGEST_ANSWER_MILLIS);
    return answer;
  }
}
