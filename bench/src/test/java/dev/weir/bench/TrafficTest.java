package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TrafficTest {
  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final AtomicInteger asked = new AtomicInteger();
  private ServerSocket listener;

  /** At this request the server stands still for a while. */
  private volatile int standsStillAt = -1;

  /** At this request the server hangs up. */
  private volatile int hangsUpAt = -1;

  @BeforeEach
  void listen() throws IOException {
    listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    start(
        () -> {
          while (true) {
            Socket socket = listener.accept();
            start(() -> answer(socket));
          }
        });
  }

  @AfterEach
  void stop() throws IOException {
    listener.close();
  }

  private interface Task {
    void run() throws IOException;
  }

  private static void start(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException ended) {
                // The test is over.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private void answer(Socket socket) throws IOException {
    BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isEmpty()) {
        int number = asked.getAndIncrement();
        if (number == hangsUpAt) {
          socket.close();
          return;
        }
        if (number == standsStillAt) {
          standStill();
        }
        socket.getOutputStream().write(ANSWER);
      }
    }
  }

  private static void standStill() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(400);
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  private Traffic traffic(int connections) throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort());
    return new Traffic(address, ServerCall.AUTH, 10, connections, 1);
  }

  @Test
  void asksAsOftenAsItIsTold() throws IOException {
    try (Traffic traffic = traffic(4)) {
      Tally tally = traffic.at(500, Duration.ofSeconds(1));

      assertThat(tally.count()).isEqualTo(500);
      assertThat(tally.wrong() + tally.failed()).isZero();
      assertThat(asked).hasValue(500);
    }
  }

  @Test
  void countsTimeFromWhenARequestWasDue() throws IOException {
    standsStillAt = 100;
    try (Traffic traffic = traffic(1)) {
      Tally tally = traffic.at(1_000, Duration.ofSeconds(1));

      // One request waited for 400 ms; and 400 were due meanwhile, half of them for 200 ms on.
      assertThat(tally.count()).isEqualTo(1_000);
      assertThat(tally.micros(99)).isGreaterThan(350_000);
      assertThat(tally.micros(80)).isBetween(150_000.0, 300_000.0);
    }
  }

  @Test
  void asksAgainAsSoonAsItIsAnswered() throws IOException {
    try (Traffic traffic = traffic(2)) {
      Tally tally = traffic.asFastAsItGoes(Duration.ofMillis(300));

      assertThat(tally.count()).isEqualTo(asked.get()).isGreaterThan(50);
      assertThat(tally.wrong() + tally.failed()).isZero();
    }
  }

  @Test
  void saysWhenTheServerHangsUp() throws IOException {
    hangsUpAt = 20;
    try (Traffic traffic = traffic(2)) {
      assertThatThrownBy(() -> traffic.at(1_000, Duration.ofSeconds(1)))
          .isInstanceOfAny(IllegalStateException.class, UncheckedIOException.class);
    }
  }
}
