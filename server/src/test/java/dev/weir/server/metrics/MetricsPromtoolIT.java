package dev.weir.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.policy.Client;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Prometheus itself finds nothing to complain about. */
class MetricsPromtoolIT {
  private static final String POLICY =
      """
      [[tier]]
      name = "free"
      limit = "2/m"
      endpoints = { "/odd\\"é" = 1 }

      [[endpoint]]
      name = "chat"
      paths = ["/chat"]
      limit = "1/m"

      [[rule]]
      name = "closed"
      match = { path = "/old/**" }
      action = "block"

      [[rule]]
      name = "trial"
      limits = ["1/h"]
      mode = "shadow"
      """;

  private final Optional<Promtool> found = Promtool.find();
  private final TestGate gate = new TestGate(POLICY);

  @BeforeEach
  void needsPromtool() {
    assumeTrue(
        found.isPresent(),
        "promtool is neither on the PATH nor in .weir/programs/usr/bin; it is in Debian's package"
            + " prometheus");
  }

  private String complaints(String page) throws IOException, InterruptedException {
    return found.orElseThrow().check(page);
  }

  @Test
  void aPageBeforeTheFirstRequestIsClean() throws IOException, InterruptedException {
    assertThat(complaints(gate.metrics.text())).isEmpty();
  }

  @Test
  void aPageAfterTrafficIsClean() throws IOException, InterruptedException {
    Client alice = TestGate.client("alice");
    gate.check("/chat", alice, 3);
    gate.check("/old/a", alice.withTier("a\r\n\"\u001b[31m"), 3);
    gate.check("/odd\"é", alice.withTier("free"), 3);
    gate.check("/", Client.unknown());
    gate.areCountersAway = true;
    gate.check("/", alice, 3);
    gate.metrics.decided(gate.check("/", alice), 12_345_678_901L);
    gate.metrics.reloadFailed();
    gate.reload(POLICY);
    String page = gate.metrics.text();
    assertThat(complaints(page)).isEmpty();
    assertThat(new Scrape(page).sum("weir_rate_limit_requests_total")).isEqualTo(15);
  }

  @Test
  void promtoolDoesComplainOfAPageThatIsWrong() throws IOException, InterruptedException {
    assertThat(complaints(gate.metrics.text() + "hits 1\n"))
        .contains("hits no help text", "exit code 3");
  }
}
