package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.spring.client.OutgoingLimitException;
import dev.weir.spring.client.OutgoingLimitFilter;
import dev.weir.spring.client.OutgoingLimitInterceptor;
import dev.weir.spring.client.OutgoingLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** Requests to another server, which is a real one and says how often it wants to be asked. */
class OutgoingIT {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final ManualTime time = TimeSource.manual(START);
  private final AtomicInteger asked = new AtomicInteger();
  private volatile int status = 200;
  private volatile Map<String, String> fields = Map.of();
  private HttpServer server = newServer();

  private static HttpServer newServer() {
    try {
      return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException failure) {
      throw new java.io.UncheckedIOException(failure);
    }
  }

  @BeforeEach
  void start() {
    server.createContext(
        "/",
        exchange -> {
          asked.incrementAndGet();
          fields.forEach(exchange.getResponseHeaders()::set);
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  /** The two ways to ask. */
  enum Way {
    REST_CLIENT {
      @Override
      void ask(String url, OutgoingLimits limits) {
        RestClient.builder()
            .requestInterceptor(new OutgoingLimitInterceptor(limits))
            .defaultStatusHandler(any -> true, (request, response) -> {})
            .build()
            .get()
            .uri(url)
            .retrieve()
            .toBodilessEntity();
      }
    },
    WEB_CLIENT {
      @Override
      void ask(String url, OutgoingLimits limits) {
        WebClient.builder()
            .filter(new OutgoingLimitFilter(limits))
            .build()
            .get()
            .uri(url)
            .exchangeToMono(response -> response.releaseBody().thenReturn(true))
            .block();
      }
    };

    abstract void ask(String url, OutgoingLimits limits);
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  @ParameterizedTest
  @EnumSource
  void noMoreIsAskedThanIsSet(Way way) {
    OutgoingLimits limits = OutgoingLimits.builder().limit("2/m").time(time).build();
    way.ask(url(), limits);
    way.ask(url(), limits);
    assertThatThrownBy(() -> way.ask(url(), limits))
        .isInstanceOfSatisfying(
            OutgoingLimitException.class,
            refusal -> assertThat(refusal.retryAfter()).isEqualTo(Duration.ofSeconds(30)));
    assertThat(asked).hasValue(2);
    time.advance(Duration.ofSeconds(30));
    way.ask(url(), limits);
    assertThat(asked).hasValue(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          429 | Retry-After | 7                                 | 7
          503 | Retry-After | Thu, 01 Jan 2026 00:00:09 GMT     | 9
          429 | Retry-After | soon                              | 0
          429 | Retry-After | -5                                | 0
          200 | Retry-After | 7                                 | 0
          200 | RateLimit   | "a";r=0;t=31                      | 31
          200 | RateLimit   | "a";r=5;t=31                      | 0
          200 | RateLimit   | "a";r=1;t=90, "b";t=12;r=0        | 12
          200 | RateLimit   | "a";pk=:abc=:;r=0;t=4             | 4
          200 | RateLimit   | r=0;t=31                          | 0
          429 | Retry-After | 999999999                         | 3600
          """)
  void theOtherSideIsBelieved(int answered, String name, String value, int seconds) {
    OutgoingLimits limits = OutgoingLimits.builder().time(time).build();
    status = answered;
    fields = Map.of(name, value);
    Way.REST_CLIENT.ask(url(), limits);
    status = 200;
    fields = Map.of();
    if (seconds > 0) {
      assertThatThrownBy(() -> Way.REST_CLIENT.ask(url(), limits))
          .isInstanceOfSatisfying(
              OutgoingLimitException.class,
              refusal -> assertThat(refusal.retryAfter()).isEqualTo(Duration.ofSeconds(seconds)));
      time.advance(Duration.ofSeconds(seconds));
    }
    Way.REST_CLIENT.ask(url(), limits);
    assertThat(asked).hasValue(2);
  }

  @Test
  void aPauseIsWaitedForIfThereIsTime() {
    OutgoingLimits limits =
        OutgoingLimits.builder().maxWait(Duration.ofSeconds(3)).time(time).build();
    status = 429;
    fields = Map.of("Retry-After", "1");
    Way.WEB_CLIENT.ask(url(), limits);
    status = 200;
    fields = Map.of();
    CompletableFuture<Boolean> answer = askLater(limits);
    time.advance(Duration.ofMillis(999));
    assertThat(answer).isNotDone();
    assertThat(asked).hasValue(1);
    time.advance(Duration.ofMillis(1));
    assertThat(answer.join()).isTrue();
    assertThat(asked).hasValue(2);
  }

  private CompletableFuture<Boolean> askLater(OutgoingLimits limits) {
    return WebClient.builder()
        .filter(new OutgoingLimitFilter(limits))
        .build()
        .get()
        .uri(url())
        .exchangeToMono(response -> response.releaseBody().thenReturn(true))
        .toFuture();
  }
}
