package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.weir.testkit.process.Program;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every server that is measured, and how long wrk takes, on the real clock. */
@Tag("long")
class ServerLoadLongIT {
  private static final Duration SHORT = Duration.ofSeconds(1);

  @ParameterizedTest
  @EnumSource
  void everyServerAnswersRightly(ServerContender contender, @TempDir Path folder)
      throws IOException, InterruptedException {
    if (contender == ServerContender.NGINX) {
      Program.orSkip("nginx");
    }
    try (ServerLoad load = ServerLoad.start(contender, folder)) {
      ServerRun.Half half = load.askAt(500, 1_000, SHORT, SHORT);

      assertThat(half.bad()).isZero();
      assertThat(half.p50Micros()).isPositive();
      assertThat(half.p99Micros()).isGreaterThanOrEqualTo(half.p50Micros());
    }
  }

  @Test
  void wrkCountsAnswersAndErrors(@TempDir Path folder) throws IOException, InterruptedException {
    Program.orSkip("wrk");
    try (ServerLoad load = ServerLoad.start(ServerContender.WEIR_CHECK_REDIS, folder)) {
      ServerLoad.Stretch all = load.ask(100, SHORT).plus(load.ask(100, SHORT));

      assertThat(all.bad()).isZero();
      assertThat(all.count()).isGreaterThan(100);
      assertThat(all.seconds()).isBetween(1.8, 20.0);
      assertThat(all.cpu()).isPositive();
      assertThat(all.redisCpu()).isPositive();
      assertThat(all.most().cpuMicros())
          .isCloseTo(all.cpu().toNanos() / 1e3 / all.count(), withPercentage(0.1));
    }
    try (ServerProcess other = ServerProcess.jvm(BareService.class, ServerCall.RLS)) {
      // What is no gRPC is refused there.
      ServerLoad.Stretch wrong =
          Wrk.prepare(ServerCall.AUTH, 10, folder).run(other.port(), 2, SHORT);

      assertThat(wrong.bad()).isEqualTo(wrong.count()).isPositive();
    }
  }

  @Test
  void bareServicesAnswerAtTheLengthOfWeir(@TempDir Path folder)
      throws IOException, InterruptedException {
    try (ServerProcess weir = WeirService.start(ServerCall.CHECK, folder, null);
        ServerProcess bareCheck = ServerProcess.jvm(BareService.class, ServerCall.CHECK);
        ServerProcess bareAuth = ServerProcess.jvm(BareService.class, ServerCall.AUTH)) {
      assertThat((double) check(bareCheck).body().length())
          .isCloseTo(check(weir).body().length(), withPercentage(2));
      assertThat(fields(check(bareCheck))).isEqualTo(fields(check(weir)));
      assertThat(fields(authorize(bareAuth))).isEqualTo(fields(authorize(weir)));
      assertThat(authorize(bareAuth).body()).isEqualTo(authorize(weir).body()).isEmpty();
    }
  }

  private static HttpResponse<String> check(ServerProcess server)
      throws IOException, InterruptedException {
    return send(
        server,
        "/v1/check",
        HttpRequest.newBuilder()
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"path\": \"/api/v1/chat/completions\", \"user\": \"user-12345\"}")));
  }

  private static HttpResponse<String> authorize(ServerProcess server)
      throws IOException, InterruptedException {
    return send(
        server,
        ServerCall.AUTH_PATH,
        HttpRequest.newBuilder()
            .header("X-Original-URI", "/api/v1/chat/7")
            .header("X-Forwarded-For", "10.1.2.3"));
  }

  private static HttpResponse<String> send(
      ServerProcess server, String path, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    HttpResponse<String> response =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .build()
            .send(
                request.uri(URI.create("http://127.0.0.1:" + server.port() + path)).build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).isEqualTo(200);
    return response;
  }

  /** Each field with the length of its value. */
  private static Set<String> fields(HttpResponse<String> response) {
    return response.headers().map().entrySet().stream()
        .filter(field -> !field.getKey().equals("content-length"))
        .map(field -> field.getKey() + ": " + field.getValue().get(0).length())
        .collect(Collectors.toSet());
  }
}
