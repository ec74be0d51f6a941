package dev.weir.policy.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.TimeSource;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.ClientList;
import dev.weir.policy.Gate;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import dev.weir.policy.config.ConfigReader;
import dev.weir.policy.config.EventSettings;
import dev.weir.policy.config.EventType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventLogTest {
  private static final Policy POLICY = Policy.compile(ConfigReader.builtIn(Map.of()).policy());

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private static EventSettings all(double sample) {
    return new EventSettings(EnumSet.allOf(EventType.class), sample, "");
  }

  private EventLog log(EventSettings settings, OutputStream to) {
    return new EventLog(settings, time, "node-1", "eu", to);
  }

  private Gate gate(EventLog log) {
    return new Gate(
        POLICY, new MemoryCounterStore(time, 1_000), new ClientList(time), List.of(log));
  }

  private static Request chat(String user) {
    Client client = Client.at(Address.parse("203.0.113.7"), 64).withUser(user);
    return Request.of("POST", "/api/v1/rag/chat?token=s3cret", client);
  }

  private List<String> lines() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void writesADecisionAsOneLine() {
    try (EventLog log = log(all(1), out)) {
      gate(log).check(chat("alice"));
    }

    assertThat(lines())
        .containsExactly(
            "{\"timestamp\": \"2026-03-01T10:00:00Z\", \"event_type\": \"allowed\", \"endpoint\":"
                + " \"chat\", \"path\": \"/api/v1/rag/chat\", \"method\": \"POST\", \"user_id\":"
                + " \"alice\", \"ip_address\": \"203.0.113.7\", \"client\": \"user:alice\","
                + " \"rule\": \"endpoint:chat\", \"request_count\": 1, \"limit\": 10,"
                + " \"window_reset\": 1772359206, \"reason\": \"within_limits\", \"policy\": \""
                + POLICY.version()
                + "\", \"server_id\": \"node-1\", \"region\": \"eu\"}");
  }

  @Test
  void saysAllThatAReplayNeeds() {
    Client client = Client.unknown().withUser("alice").withKey("k-1").withTier("gold");
    try (EventLog log = log(all(1), out)) {
      Gate gate = gate(log);
      gate.check(Request.of("GET", "/", client).withCost(3));
      time.advance(Duration.ofNanos(1_000));
      gate.check(Request.of("GET", "/", client));
    }

    assertThat(lines().get(0))
        .contains("\"api_key_id\": \"k-1\", \"tier\": \"gold\", \"cost\": 3, \"client\"");
    assertThat(lines().get(1))
        .startsWith("{\"timestamp\": \"2026-03-01T10:00:00.000001Z\"")
        .doesNotContain("cost");
  }

  @Test
  void writesOnlyTheKindsThatAreWanted() {
    EventSettings refusals = new EventSettings(EnumSet.of(EventType.THROTTLED), 1, "");
    try (EventLog log = log(refusals, out)) {
      Gate gate = gate(log);
      for (int i = 0; i < 12; i++) {
        gate.check(chat("alice"));
      }
    }

    assertThat(lines()).hasSize(2).allMatch(line -> line.contains("\"event_type\": \"throttled\""));
  }

  /** The lines after two requests, of which a rule in shadow mode would refuse the second. */
  private List<String> linesOfATrial(EventType... kinds) {
    Policy trial =
        Policy.compile(
            ConfigReader.parse(
                    """
                    [[rule]]
                    name = "stricter"
                    limits = ["1/h"]
                    mode = "shadow"
                    """,
                    "weir.toml",
                    Map.of())
                .policy());
    try (EventLog log = log(new EventSettings(Set.of(kinds), 1, ""), out)) {
      Gate gate =
          new Gate(trial, new MemoryCounterStore(time, 1_000), new ClientList(time), List.of(log));
      gate.check(chat("alice"));
      gate.check(chat("alice"));
    }
    return lines();
  }

  @Test
  void whatARuleInShadowModeWouldRefuseIsWrittenForWhoWantsRefusals() {
    assertThat(linesOfATrial(EventType.THROTTLED))
        .singleElement()
        .asString()
        .contains("\"event_type\": \"allowed\"")
        .contains("\"reason\": \"within_limits\", \"shadow\": [\"stricter\"], \"policy\"");
  }

  @Test
  void whatARuleInShadowModeWouldLetPassIsNotInTheLine() {
    assertThat(linesOfATrial(EventType.ALLOWED))
        .hasSize(2)
        .first()
        .asString()
        .doesNotContain("shadow");
  }

  @Test
  void withoutRefusalsInTheLogNothingIsWrittenOfShadowRules() {
    assertThat(linesOfATrial(EventType.BLOCKED, EventType.BACKEND_ERROR)).isEmpty();
  }

  @Test
  @DisplayName("T70: no name of a client ends a line or starts a command")
  void controlCharactersNeverReachALineRaw() {
    try (EventLog log = log(all(1), out)) {
      gate(log).check(chat("a\r\nSet-Cookie: x=1\u001b[31m\u0000\u2028"));
    }

    assertThat(lines()).hasSize(1);
    assertThat(out.toString(StandardCharsets.UTF_8).strip())
        .contains("a\\u000d\\u000aSet-Cookie: x=1\\u001b[31m\\u0000\\u2028")
        .doesNotContainPattern("[\\x00-\\x1f]");
  }

  @Test
  void aQueryIsNotWritten() {
    try (EventLog log = log(all(1), out)) {
      gate(log).check(chat("alice"));
    }

    assertThat(out.toString(StandardCharsets.UTF_8)).doesNotContain("s3cret");
  }

  @Test
  void aSampleOfNothingWritesNothing() {
    try (EventLog log = log(all(0), out)) {
      for (int i = 0; i < 100; i++) {
        gate(log).check(chat("alice"));
      }
    }

    assertThat(lines()).isEmpty();
  }

  @Test
  void aSampleWritesAboutItsShare() {
    try (EventLog log = log(all(0.5), out)) {
      Gate gate = gate(log);
      for (int i = 0; i < 10_000; i++) {
        gate.check(chat("alice"));
      }
    }

    assertThat(lines()).hasSizeBetween(4_500, 5_500);
  }

  @Test
  void anOutputThatHangsHoldsUpNoRequest() {
    CountDownLatch released = new CountDownLatch(1);
    OutputStream hanging =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            try {
              released.await();
            } catch (InterruptedException interrupted) {
              throw new IOException(interrupted);
            }
          }
        };
    EventLog log = log(all(1), hanging);
    Gate gate = gate(log);
    for (int i = 0; i < 40_000; i++) {
      gate.check(chat("alice"));
    }

    assertThat(log.lost()).isGreaterThan(20_000);
    released.countDown();
    log.close();
  }

  @Test
  void anOutputThatFailsLosesEventsAndSaysHowMany() {
    OutputStream failing =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("disk full");
          }
        };
    EventLog log = log(all(1), failing);
    gate(log).check(chat("alice"));
    log.close();

    assertThat(log.lost()).isEqualTo(1);
  }

  @Test
  void anOutputThatThrowsLosesEventsUntilItIsMended() {
    AtomicBoolean isBroken = new AtomicBoolean(true);
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) {
            if (isBroken.get()) {
              throw new IllegalStateException("broken");
            }
            out.write(b);
          }
        };
    try (EventLog log = log(all(1), broken)) {
      Gate gate = gate(log);
      gate.check(chat("alice"));
      Awaitility.await().untilAsserted(() -> assertThat(log.lost()).isEqualTo(1));
      isBroken.set(false);
      gate.check(chat("bob"));
    }

    assertThat(lines()).singleElement().asString().contains("\"user_id\": \"bob\"");
  }

  @Test
  void appendsToAFile(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("events.jsonl");
    Files.writeString(file, "before\n");
    EventSettings settings = new EventSettings(EnumSet.allOf(EventType.class), 1, file.toString());
    try (EventLog log = new EventLog(settings, time, "node-1", "eu")) {
      gate(log).check(chat("alice"));
    }

    assertThat(Files.readAllLines(file)).hasSize(2).first().isEqualTo("before");
  }

  @Test
  void aFileThatCannotBeWrittenIsSaidAtTheStart(@TempDir Path folder) {
    Path file = folder.resolve("missing").resolve("events.jsonl");
    EventSettings settings = new EventSettings(EnumSet.allOf(EventType.class), 1, file.toString());

    assertThatThrownBy(() -> new EventLog(settings, time, "node-1", "eu"))
        .hasMessage("events.file: \"" + file + "\" cannot be written");
  }
}
