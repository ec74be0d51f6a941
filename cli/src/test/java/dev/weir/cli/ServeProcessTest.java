package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.ArrayList;
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
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path folder = Path.of("");

  /** A service as a process of its own. */
  private final class Service implements AutoCloseable {
    final Process process;
    final Path err = folder.resolve("err.txt");
    final String ready;
    final int port;

    Service(String... arguments) throws IOException {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), Weir.class.getName()));
      command.add("serve");
      command.addAll(List.of(arguments));
      this.process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectError(err.toFile())
              .start();
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

  private Path config(int limit) throws IOException {
    return Files.writeString(
        folder.resolve("weir.toml"), "[default]\nlimit = " + limit + "\nwindow = \"60s\"\n");
  }

  @Test
  void saysInOneLineWhatRunsWhere() throws Exception {
    config(7);
    try (Service service = new Service("--port", "0")) {
      assertThat(service.ready)
          .matches(
              "weir is ready on http://127\\.0\\.0\\.1:[0-9]+; policy [0-9a-f]+ \\(weir\\.toml\\),"
                  + " counters in memory, database embedded in data");
      assertThat(service.get("/healthz")).isEqualTo("{\"status\": \"ok\"}");
    }
  }

  @Test
  void readsItsFileAgainOnHangUp() throws Exception {
    config(7);
    try (Service service = new Service("--port", "0")) {
      String before = service.get("/v1/admin/policy");
      assertThat(before).contains("\"default\": \"7/60s\"");
      config(8);
      service.signal("HUP");
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> service.get("/v1/admin/policy").contains("\"default\": \"8/60s\""));
    }
  }

  @Test
  void answersWhatIsUnderWayBeforeItStops() throws Exception {
    config(7);
    try (Service service = new Service("--port", "0");
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port)) {
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
      Awaitility.await().atMost(PATIENCE).until(() -> !accepts(service.port));
      socket.getOutputStream().write(body.substring(5).getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().flush();
      InputStream in = socket.getInputStream();
      assertThat(new String(in.readNBytes(15), StandardCharsets.UTF_8))
          .isEqualTo("HTTP/1.1 200 OK");
      assertThat(service.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
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

  @Test
  void isUpAgainAfterItWasKilled() throws Exception {
    config(7);
    int port;
    try (Service service = new Service("--port", "0")) {
      port = service.port;
      service.signal("KILL");
      service.process.waitFor();
    }
    try (Service service = new Service("--port", Integer.toString(port))) {
      assertThat(service.port).isEqualTo(port);
      assertThat(service.get("/healthz")).isEqualTo("{\"status\": \"ok\"}");
    }
  }

  @Test
  void refusesToBeReachedFromOutsideWithoutAToken() throws Exception {
    Files.writeString(folder.resolve("weir.toml"), "[server]\nlisten = \"0.0.0.0:0\"\n");
    try (Service service = new Service()) {
      assertThat(service.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(service.process.exitValue()).isEqualTo(1);
      assertThat(Files.readString(service.err))
          .isEqualTo(
              "weir serve: server.listen: 0.0.0.0:0 is reached from outside, so"
                  + " server.admin_token must be set, best by the variable"
                  + " RATE_LIMIT_SERVER_ADMIN_TOKEN\n");
    }
  }

  @Test
  void saysThatThePortIsTaken() throws Exception {
    config(7);
    Files.writeString(folder.resolve("other.toml"), "[server]\ndata = \"other\"\n");
    try (Service first = new Service("--port", "0");
        Service second =
            new Service("--port", Integer.toString(first.port), "--config", "other.toml")) {
      assertThat(second.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(second.process.exitValue()).isEqualTo(1);
      assertThat(Files.readString(second.err))
          .startsWith("weir serve: server.listen: cannot listen on 127.0.0.1:" + first.port)
          .endsWith("--port takes another\n")
          .hasLineCount(1);
    }
  }

  @Test
  void saysThatTheDataFolderIsTaken() throws Exception {
    config(7);
    try (Service first = new Service("--port", "0");
        Service second = new Service("--port", "0")) {
      assertThat(first.port).isPositive();
      assertThat(second.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(second.process.exitValue()).isEqualTo(1);
      assertThat(Files.readString(second.err))
          .startsWith("weir serve: server.data: journal ")
          .contains(" is in use by another process")
          .endsWith("each instance needs a folder of its own that it may write to\n")
          .hasLineCount(1);
    }
  }

  @Test
  void startsWithRulesForEnvoyThatAreWrongAndWaitsForRightOnes() throws Exception {
    Path file =
        Files.writeString(
            Files.createDirectory(folder.resolve("rules")).resolve("edge.yaml"), "domian: edge\n");
    try (Service service = new Service("--port", "0", "--envoy-config", "rules")) {
      assertThat(service.ready)
          .startsWith("weir is on http://127.0.0.1:")
          .contains("; not ready, since the rules for Envoy are wrong; policy ");
      assertThat(Files.readString(service.err))
          .contains("there are no rules for Envoy until their files are right:\n")
          .contains("rules/edge.yaml:1:1: config error, unknown key 'domian'\n");
      assertThat(service.get("/readyz")).contains("\"status\": \"not ready\"");
      Files.writeString(file, "domain: edge\n");
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> service.get("/readyz").contains("\"status\": \"ready\""));
    }
  }

  @Test
  void aFolderForEnvoyThatIsMissingIsAMistake() throws Exception {
    try (Service service = new Service("--port", "0", "--envoy-config", "rules")) {
      assertThat(service.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(service.process.exitValue()).isEqualTo(1);
      assertThat(Files.readString(service.err)).endsWith("rules: there is no such folder\n");
    }
  }

  @Test
  void everyMistakeOfAFileIsALine() throws Exception {
    Files.writeString(folder.resolve("weir.toml"), "[default]\nlimit = 0\nwindow = \"x\"\n");
    try (Service service = new Service("--port", "0")) {
      assertThat(service.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(service.process.exitValue()).isEqualTo(1);
      assertThat(Files.readString(service.err))
          .hasLineCount(2)
          .contains("weir.toml:2:", "weir.toml:3:");
    }
  }
}
