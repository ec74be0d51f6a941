package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.process.JavaCommand;
import dev.weir.testkit.process.Ports;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir serve} as a process that gets signals. */
class ServeProcessTest {
  private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:([0-9]+); ");
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  @TempDir private Path folder = Path.of("");

  /** A service as a process of its own. */
  private final class Service implements AutoCloseable {
    final Process process;
    final Path err = Files.createTempFile(folder, "err", ".txt");
    final String ready;
    final int port;

    Service(String... arguments) throws IOException {
      List<String> command = JavaCommand.with();
      command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), Weir.class.getName()));
      command.add("serve");
      command.addAll(List.of(arguments));
      ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
      builder.environment().put("RATE_LIMIT_SERVER_DRAIN", "0s");
      this.process = builder.redirectError(err.toFile()).start();
      BufferedReader out =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      this.ready = String.valueOf(out.readLine());
      Matcher address = ADDRESS.matcher(ready);
      this.port = address.find() ? Integer.parseInt(address.group(1)) : 0;
    }

    String get(String path) throws IOException, InterruptedException {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
      return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    void signal(String name) throws IOException, InterruptedException {
      assertThat(
              new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                  .start()
                  .waitFor())
          .isZero();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  private void config(int limit) throws IOException {
    Files.writeString(
        folder.resolve("weir.toml"), "[default]\nlimit = " + limit + "\nwindow = \"60s\"\n");
  }

  @Test
  void isUpAgainAfterItWasKilledAndKeepsItsDataToItself() throws Exception {
    config(7);
    String port = Integer.toString(Ports.free());
    try (Service service = new Service("--port", port)) {
      assertThat(service.ready)
          .matches(
              "weir is ready on http://127\\.0\\.0\\.1:[0-9]+; policy [0-9a-f]+ \\(weir\\.toml\\),"
                  + " counters in memory, database embedded in data");
      assertThat(service.get("/healthz")).isEqualTo("{\"status\": \"ok\"}");
      service.signal("KILL");
      service.process.waitFor();
    }
    try (Service service = new Service("--port", port);
        Service second = new Service("--port", "0")) {
      assertThat(service.port).asString().isEqualTo(port);
      assertThat(service.get("/healthz")).isEqualTo("{\"status\": \"ok\"}");

      assertThat(second.process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(second.process.exitValue()).isEqualTo(1);
      assertThat(Files.readString(second.err))
          .startsWith("weir serve: server.data: journal ")
          .contains(" is in use by another process")
          .endsWith("each instance needs a folder of its own that it may write to\n")
          .hasLineCount(1);
    }
  }

  @Test
  void readsItsFilesAgainAndAnswersWhatIsUnderWayBeforeItStops() throws Exception {
    config(7);
    Path rules =
        Files.writeString(
            Files.createDirectory(folder.resolve("rules")).resolve("edge.yaml"), "domian: edge\n");
    try (Service service = new Service("--port", "0", "--envoy-config", "rules")) {
      startsWithRulesForEnvoyThatAreWrongAndWaitsForRightOnes(service, rules);
      readsItsFileAgainOnHangUp(service);
      answersWhatIsUnderWayBeforeItStops(service);
    }
  }

  private static void startsWithRulesForEnvoyThatAreWrongAndWaitsForRightOnes(
      Service service, Path rules) throws Exception {
    assertThat(service.ready)
        .startsWith("weir is on http://127.0.0.1:")
        .contains("; not ready, since the rules for Envoy are wrong; policy ");
    assertThat(Files.readString(service.err))
        .contains("there are no rules for Envoy until their files are right:\n")
        .contains("rules/edge.yaml:1:1: config error, unknown key 'domian'\n");
    assertThat(service.get("/readyz")).contains("\"status\": \"not ready\"");
    Files.writeString(rules, "domain: edge\n");
    Awaitility.await()
        .atMost(TIMEOUT)
        .until(() -> service.get("/readyz").contains("\"status\": \"ready\""));
  }

  private void readsItsFileAgainOnHangUp(Service service) throws Exception {
    assertThat(service.get("/v1/admin/policy")).contains("\"default\": \"7/60s\"");
    config(8);
    service.signal("HUP");
    Awaitility.await()
        .atMost(TIMEOUT)
        .until(() -> service.get("/v1/admin/policy").contains("\"default\": \"8/60s\""));
  }

  private static void answersWhatIsUnderWayBeforeItStops(Service service) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port)) {
      String body = "{\"path\": \"/\", \"user\": \"alice\"}";
      String head =
          "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
              + body.length()
              + "\r\n\r\n";
      socket
          .getOutputStream()
          .write((head + body.substring(0, 5)).getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().flush();
      // The head has come, and so has a later request of somebody else.
      service.get("/healthz");
      service.signal("TERM");
      Awaitility.await().atMost(TIMEOUT).until(() -> !accepts(service.port));
      socket.getOutputStream().write(body.substring(5).getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().flush();
      InputStream in = socket.getInputStream();
      assertThat(new String(in.readNBytes(15), StandardCharsets.UTF_8))
          .isEqualTo("HTTP/1.1 200 OK");
      assertThat(service.process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(service.process.exitValue()).isEqualTo(143);
    }
  }

  private static boolean accepts(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException refused) {
      return false;
    }
  }
}
