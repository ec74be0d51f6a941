package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.TestLevel;
import dev.weir.testkit.http.RawHttp;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * T73: what others notice of hostile clients, measured. The system property {@code
 * weir.server.hostile.seconds} says for how long. How much slower others are answered is printed
 * and not judged: other programs may keep the machine busy.
 */
@Tag("long")
@Tag("exclusive")
class HostileClientsLongIT {
  private static final Duration SPAN =
      Duration.ofSeconds(TestLevel.amount("weir.server.hostile.seconds", 3L, 30L));
  private static final Duration WARM_UP = Duration.ofSeconds(2);
  private static final int PER_SECOND = 500;

  /** More than a slow client has for its request, which is 10 s. */
  private static final Duration LONG = Duration.ofSeconds(15);

  @TempDir private Path folder = Path.of("");

  /** Requests over HTTP/1.1, and over HTTP/2 as many as nobody objects to. */
  private static void warmUp(int port) throws Exception {
    SteadyCallers.ask(port, PER_SECOND, WARM_UP);
    byte[] requests = Http2Bytes.cancelledRequests(100);
    for (int i = 0; i < 100; i++) {
      RawHttp.half(port, requests);
    }
  }

  @Test
  @DisplayName("T73: slow lorises and rapid resets are let go, and every other request is answered")
  void t73() throws Exception {
    try (TestServer server = new TestServer(folder, "")) {
      int port = server.server.port();
      warmUp(port);
      SteadyCallers.Times before = SteadyCallers.ask(port, PER_SECOND, SPAN);
      System.out.println("calm: " + before);

      SlowLoris loris = new SlowLoris(port);
      RapidReset reset = new RapidReset(port);
      try (loris;
          reset) {
        SteadyCallers.Times during = SteadyCallers.ask(port, PER_SECOND, SPAN);
        System.out.printf(
            "attacked: %s, p99 %.2f times the calm one%n",
            during, during.micros(0.99) / before.micros(0.99));
      }
      System.out.printf(
          "%d bytes on slow connections, let go %d times; %d cancelled requests, let go %d times%n",
          loris.bytes(), loris.letGo(), reset.cancelled(), reset.letGo());

      System.out.println("calm again: " + SteadyCallers.ask(port, PER_SECOND, SPAN));

      assertThat(reset.letGo()).isPositive();
      if (SPAN.compareTo(LONG) > 0) {
        assertThat(loris.letGo()).isPositive();
      }
      assertThat(server.caller.get("/healthz").status()).isEqualTo(200);
    }
  }
}
