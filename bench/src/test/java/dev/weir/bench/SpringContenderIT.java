package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.testkit.TestLevel;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Needs the modules in {@code bench/spring}, which a build of everything makes before. */
class SpringContenderIT {
  private static final Path MODULES = Path.of("spring");
  private static final String LIMIT = "x-ratelimit-limit";
  private static final String REMAINING = "x-ratelimit-remaining";

  /** Those that count each client behind the proxy by itself. */
  private static final Set<SpringContender> COUNTS_EACH_CLIENT =
      EnumSet.of(SpringContender.WEIR, SpringContender.WEIR_FILTER, SpringContender.RESILIENCE4J);

  /** Everyday ours alone: each is a start of Spring Boot in a JVM of its own. */
  static List<SpringContender> contenders() {
    return TestLevel.isLong() ? List.of(SpringContender.values()) : List.of(SpringContender.WEIR);
  }

  @ParameterizedTest
  @MethodSource("contenders")
  void limitsWhatItShallAndNothingElse(SpringContender contender)
      throws IOException, InterruptedException {
    assumeTrue(contender.isThere(MODULES), contender + " is not built");
    try (ServerProcess server = contender.start(MODULES)) {
      HttpResponse<String> response =
          ask(server, contender.path(SpringLoad.Answer.TEXT), "10.0.0.1");

      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.body()).isEqualTo("Hello, world");
      assertThat(ask(server, contender.path(SpringLoad.Answer.JSON), "10.0.0.1").body())
          .startsWith("[{\"id\":1,")
          .contains("\"id\":20,")
          .hasSizeBetween(2_000, 4_000);
      assertThat(limitFields(response))
          .containsExactlyInAnyOrderElementsOf(
              switch (contender) {
                case BARE, BARE_ON_BOOT_3, WITHOUT_FILTER -> Set.of();
                case FIELDS, WEIR, WEIR_FILTER, RESILIENCE4J ->
                    Set.of(LIMIT, REMAINING, "x-ratelimit-reset", "ratelimit", "ratelimit-policy");
                case BUCKET4J -> Set.of("x-rate-limit-remaining");
              });
      if (COUNTS_EACH_CLIENT.contains(contender)) {
        assertThat(remaining(contender, server, "10.0.0.2")).isEqualTo("999999");
        assertThat(remaining(contender, server, "10.0.0.2")).isEqualTo("999998");
        assertThat(remaining(contender, server, "10.0.0.3")).isEqualTo("999999");
      }
    }
  }

  private static String remaining(SpringContender contender, ServerProcess server, String client)
      throws IOException, InterruptedException {
    return ask(server, contender.path(SpringLoad.Answer.TEXT), client)
        .headers()
        .firstValue(REMAINING)
        .orElseThrow();
  }

  private static Set<String> limitFields(HttpResponse<String> response) {
    Set<String> fields = new TreeSet<>(response.headers().map().keySet());
    fields.removeIf(field -> !field.replace("-", "").contains("ratelimit"));
    return fields;
  }

  private static HttpResponse<String> ask(ServerProcess server, String path, String client)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(uri).header("X-Forwarded-For", client).build(),
            HttpResponse.BodyHandlers.ofString());
  }
}
