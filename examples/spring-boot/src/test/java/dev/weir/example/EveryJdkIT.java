package dev.weir.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The application on every JDK of this machine that is new enough: at least the one that tests. */
class EveryJdkIT {
  private static final int OLDEST = 17;
  private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");
  private static final int LIMIT = 60;

  private final HttpClient http = HttpClient.newHttpClient();

  /**
   * A JDK.
   *
   * @param feature its version, such as 17
   * @param home its folder
   */
  record Jdk(int feature, Path home) {
    /** What is in the folder; 0 as its version if that is no JDK. */
    static Jdk in(Path home) {
      Properties release = new Properties();
      Path file = home.resolve("release");
      if (Files.isReadable(file) && Files.isExecutable(home.resolve("bin/java"))) {
        try (InputStream in = Files.newInputStream(file)) {
          release.load(in);
        } catch (IOException unreadable) {
          throw new UncheckedIOException(unreadable);
        }
      }
      String version = release.getProperty("JAVA_VERSION", "0").replace("\"", "");
      return new Jdk(Integer.parseInt(version.split("[.+-]", -1)[0]), home);
    }
  }

  static Stream<Jdk> jdks() throws IOException {
    Path own = Path.of(System.getProperty("java.home")).toRealPath();
    try (Stream<Path> beside = Files.list(own.getParent())) {
      return Stream.concat(Stream.of(own), beside.filter(home -> !Files.isSymbolicLink(home)))
          .distinct()
          .map(Jdk::in)
          .filter(jdk -> jdk.feature >= OLDEST)
          .sorted(Comparator.comparing(Jdk::feature))
          .toList()
          .stream();
    }
  }

  /** Everyday, one cold start. */
  @Test
  void startsAndLimitsOnTheJdkThatTests() throws IOException, InterruptedException {
    assertStartsAndLimits(Jdk.in(Path.of(System.getProperty("java.home")).toRealPath()));
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("jdks")
  void startsAndLimits(Jdk jdk) throws IOException, InterruptedException {
    assertStartsAndLimits(jdk);
  }

  private void assertStartsAndLimits(Jdk jdk) throws IOException, InterruptedException {
    Process application =
        new ProcessBuilder(
                jdk.home.resolve("bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ExampleApplication.class.getName(),
                "--server.port=0",
                "--server.address=127.0.0.1")
            .redirectErrorStream(true)
            .start();
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(application.getInputStream(), StandardCharsets.UTF_8))) {
      String port = port(output);
      for (int i = 1; i <= LIMIT; i++) {
        assertThat(status(port)).as("request %d", i).isEqualTo(200);
      }
      assertThat(status(port)).isEqualTo(429);
    } finally {
      application.destroy();
      assertThat(application.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static String port(BufferedReader output) throws IOException {
    StringBuilder all = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      all.append(line).append('\n');
      Matcher started = STARTED.matcher(line);
      if (started.find()) {
        return started.group(1);
      }
    }
    throw new AssertionError("it did not start:\n" + all);
  }

  private int status(String port) throws IOException, InterruptedException {
    return http.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/hello")).build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }
}
