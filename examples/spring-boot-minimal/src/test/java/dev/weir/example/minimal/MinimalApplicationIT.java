package dev.weir.example.minimal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Limits want nothing of an application but Spring. */
class MinimalApplicationIT {
  private static HttpResponse<String> get(ConfigurableApplicationContext application, String path)
      throws Exception {
    String port = application.getEnvironment().getProperty("local.server.port");
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void requestsAndMethodsAreLimited() throws Exception {
    try (ConfigurableApplicationContext application =
        SpringApplication.run(
            MinimalApplication.class, "--server.port=0", "--server.address=127.0.0.1")) {
      assertThat(get(application, "/greet?name=a").body()).isEqualTo("hello a");
      assertThat(get(application, "/greet?name=a").statusCode()).isEqualTo(200);
      assertThat(get(application, "/greet?name=a").statusCode()).isEqualTo(429);
      for (int i = 4; i <= 60; i++) {
        assertThat(get(application, "/hello").statusCode()).isEqualTo(200);
      }
      HttpResponse<String> refused = get(application, "/hello");
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.body())
          .matches(
              "\\{\"error\": \"Too Many Requests\", \"message\": \".+\", \"retryAfter\": \\d+}");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jackson",
        "vertx",
        "netty",
        "lettuce",
        "redis",
        "jdbc",
        "jdbi",
        "h2",
        "postgresql",
        "hikari",
        "flyway",
        "micrometer-core",
        "spring-security",
        "spring-data",
        "actuator",
        "reactor",
        "gson",
        "protobuf",
        "aspectj"
      })
  void nothingComesAlongThatNobodyAskedFor(String unwanted) {
    List<String> jars =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(jar -> String.valueOf(Path.of(jar).getFileName()))
            .toList();
    assertThat(jars).anyMatch(jar -> jar.startsWith("tomcat-embed-core"));
    assertThat(jars).noneMatch(jar -> jar.contains(unwanted));
  }
}
