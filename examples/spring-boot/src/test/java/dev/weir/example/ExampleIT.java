package dev.weir.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.spring.RateLimitConfigurationException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The whole application on a free port, asked over HTTP. */
@ExtendWith(OutputCaptureExtension.class)
class ExampleIT {
  private final HttpClient http = HttpClient.newHttpClient();

  private static ConfigurableApplicationContext start(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--server.port=0");
    return SpringApplication.run(ExampleApplication.class, all.toArray(new String[0]));
  }

  private HttpResponse<String> get(ConfigurableApplicationContext application, String path)
      throws IOException, InterruptedException {
    return ask(application, "GET", path);
  }

  private HttpResponse<String> ask(
      ConfigurableApplicationContext application, String method, String path)
      throws IOException, InterruptedException {
    String port = application.getEnvironment().getRequiredProperty("local.server.port");
    return http.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static JsonNode json(HttpResponse<String> response) {
    return JsonMapper.shared().readTree(response.body());
  }

  private static String field(HttpResponse<String> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  @Test
  void sixtyRequestsPassAndTheNextIsRefusedAndEachCustomerHasThreeReportsAMinute()
      throws Exception {
    try (ConfigurableApplicationContext application = start()) {
      assertThreeReportsForEachCustomer(application);
      assertThat(ask(application, "DELETE", "/actuator/ratelimit/ip:127.0.0.1").statusCode())
          .isEqualTo(200);
      for (int i = 1; i <= 60; i++) {
        HttpResponse<String> response = get(application, "/hello");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("{\"text\":\"hello, world\"}");
        assertThat(field(response, "X-RateLimit-Limit")).isEqualTo("60");
        assertThat(field(response, "X-RateLimit-Remaining")).isEqualTo("" + (60 - i));
        assertThat(response.headers().map()).doesNotContainKey("retry-after");
      }
      assertIsRefused(get(application, "/hello"), 60, 60);
    }
  }

  /** Exactly the three members and the fields that go with them. */
  private static void assertIsRefused(HttpResponse<String> response, int limit, int longest) {
    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(field(response, "Content-Type"))
        .isEqualToIgnoringCase("application/json;charset=utf-8");
    JsonNode body = json(response);
    assertThat(body.propertyNames()).containsExactly("error", "message", "retryAfter");
    assertThat(body.get("error").stringValue()).isEqualTo("Too Many Requests");
    long retryAfter = body.get("retryAfter").longValue();
    assertThat(body.get("message").stringValue())
        .isEqualTo("rate limit exceeded, retry in " + retryAfter + " s");
    assertThat(retryAfter).isBetween(1L, (long) longest);
    assertThat(field(response, "Retry-After")).isEqualTo("" + retryAfter);
    assertThat(field(response, "X-RateLimit-Limit")).isEqualTo("" + limit);
    assertThat(field(response, "X-RateLimit-Remaining")).isEqualTo("0");
    assertThat(field(response, "X-RateLimit-Reset")).matches("[0-9]{10}");
    assertThat(field(response, "RateLimit")).contains(";r=0;t=");
    assertThat(field(response, "RateLimit-Policy")).contains(";q=" + limit + ";w=60");
  }

  private void assertThreeReportsForEachCustomer(ConfigurableApplicationContext application)
      throws Exception {
    for (int i = 1; i <= 3; i++) {
      HttpResponse<String> response = get(application, "/reports/acme");
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(json(response).get("number").intValue()).isEqualTo(i);
    }
    assertIsRefused(get(application, "/reports/acme"), 3, 20);
    assertThat(get(application, "/reports/other").statusCode()).isEqualTo(200);
  }

  @Test
  void operatorsSeeThePolicyAndWhatAClientHasUsed() throws Exception {
    try (ConfigurableApplicationContext application =
        start(
            "--ratelimit.endpoint[0].name=greetings",
            "--ratelimit.endpoint[0].paths=/hello",
            "--ratelimit.endpoint[0].limit=2/m")) {
      assertThat(get(application, "/hello").statusCode()).isEqualTo(200);
      assertThat(get(application, "/hello").statusCode()).isEqualTo(200);
      assertIsRefused(get(application, "/hello"), 2, 30);

      JsonNode policy = json(get(application, "/actuator/ratelimit"));
      assertThat(policy.at("/source").stringValue()).isEqualTo("properties");
      assertThat(policy.at("/counters").stringValue()).isEqualTo("memory");
      assertThat(policy.at("/default").stringValue())
          .isEqualTo("60/60s fixed_window align first_request");
      assertThat(policy.at("/endpoints/0/name").stringValue()).isEqualTo("greetings");
      assertThat(policy.at("/endpoints/0/limit").stringValue()).startsWith("2/m");
      assertThat(policy.at("/methods/0/name").stringValue()).isEqualTo("Reports.of");
      assertThat(policy.at("/methods/0/limits/0").stringValue()).isEqualTo("3/m");

      JsonNode used = json(get(application, "/actuator/ratelimit/ip:127.0.0.1"));
      assertThat(used.at("/counters").findValuesAsString("counter")).contains("endpoint:greetings");
      assertThat(ask(application, "DELETE", "/actuator/ratelimit/ip:127.0.0.1").statusCode())
          .isEqualTo(200);
      assertThat(get(application, "/hello").statusCode()).isEqualTo(200);

      assertThat(json(get(application, "/actuator/health")).at("/components/ratelimit/status"))
          .hasToString("\"UP\"");
      JsonNode throttled = json(get(application, "/actuator/metrics/weir.rate.limit.throttled"));
      assertThat(throttled.at("/measurements/0/value").intValue()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "requests-per-minute, 0",
    "requests-per-minute, -5",
    "window-duration-ms, 0",
    "window-duration-ms, -1"
  })
  void aValueThatIsNotPositiveStopsTheStart(String name, String value, CapturedOutput output) {
    String mistake = "ratelimit." + name + " must be at least 1, got " + value;
    assertThatThrownBy(() -> start("--ratelimit." + name + "=" + value).close())
        .hasRootCauseInstanceOf(RateLimitConfigurationException.class)
        .hasRootCauseMessage(mistake);
    assertThat(output)
        .contains("APPLICATION FAILED TO START")
        .contains("Rate limiting is not configured right:\n\n    " + mistake);
  }
}
