package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.RequestPath;
import dev.weir.spring.TestApplication.Server;
import dev.weir.testkit.TestLevel;
import dev.weir.testkit.http.RawHttp;
import dev.weir.testkit.process.Ports;
import dev.weir.testkit.process.Program;
import dev.weir.testkit.process.RunningProgram;
import jakarta.servlet.Filter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * T75: a path is counted as what real servers take it for. Generated spellings go to nginx, Tomcat
 * and Spring; where a server serves something else than what we match, the path must be refused.
 */
class PathReadingsIT {
  private static final int SPELLINGS = TestLevel.amount("weir.path.spellings", 1_500, 40_000);
  private static final long SEED = Long.getLong("weir.seed", 20_261_119);

  /** Paths that once counted for another endpoint than the one that was served. */
  private static final List<String> KNOWN =
      List.of(
          "/reports/;x/../foo",
          "/;/../login",
          "/a/;x/b/../../login",
          "/a//../login",
          "/a//b/../../login",
          "//../login",
          "/login;x=%2f..%2freports%2ffoo",
          "/reports/foo;x=1",
          "/login;x/",
          "/%6cogin",
          "/a/%2e%2e/login",
          "/reports/\u00c3\u00a9",
          "/reports/%c3%a9");

  private static final String[] PIECES = {
    "/",
    "/",
    "/",
    "/",
    "//",
    ".",
    "..",
    "..",
    "a",
    "login",
    "login",
    "reports",
    "reports/",
    "foo",
    ";",
    ";x",
    ";x=1",
    "/;x/",
    "/;/",
    "/../",
    "/./",
    "%2e",
    "%2E%2e",
    "%2f",
    "%5c",
    "%25",
    "%3b",
    "%3f",
    "%23",
    "%41",
    "%6c",
    "%c3%a9",
    "%c0%af",
    "%00",
    "%",
    "%zz",
    "\u00c3\u00a9",
    "\\",
    "~",
    "+",
    "*",
    ":",
    "@",
    "=",
    ",",
    "?",
    "?x=/../login",
    "#",
  };

  @RestController
  static class Reports {
    @GetMapping("/login")
    String login() {
      return "login";
    }

    @GetMapping("/reports/{id}")
    String report() {
      return "report";
    }

    @GetMapping("/a")
    String shortest() {
      return "a";
    }
  }

  /** Answers with what Tomcat makes of a path, before Spring sees it. */
  static class ContainerReading {
    @Bean
    Filter reading() {
      return (request, response, chain) -> {
        response.setCharacterEncoding("UTF-8");
        response
            .getWriter()
            .print(((jakarta.servlet.http.HttpServletRequest) request).getServletPath());
      };
    }
  }

  private static List<String> spellings() {
    SplittableRandom random = new SplittableRandom(SEED);
    List<String> spellings = new ArrayList<>(KNOWN);
    while (spellings.size() < SPELLINGS) {
      StringBuilder text = new StringBuilder("/");
      for (int pieces = 1 + random.nextInt(7); pieces > 0; pieces--) {
        text.append(PIECES[random.nextInt(PIECES.length)]);
      }
      spellings.add(text.toString());
    }
    return spellings;
  }

  /** What we match, decoded; null: refused. */
  private static @Nullable String oursOrNull(String bytes) {
    try {
      String text = new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
      return RequestPath.canonical(text)
          .replace("%3F", "?")
          .replace("%23", "#")
          .replace("%25", "%");
    } catch (MalformedRequestException refused) {
      return null;
    }
  }

  /** What the starter matches: Spring does not resolve dots. */
  private static @Nullable String ofStarterOrNull(String bytes) {
    try {
      RequestPath.requireNoDotSegments(bytes);
      return oursOrNull(bytes);
    } catch (MalformedRequestException refused) {
      return null;
    }
  }

  private static RawHttp.Reply get(int port, String target) {
    return RawHttp.call(port, "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
  }

  /** Compares what a server makes of each path with what we make of it. */
  private static void assertAgreement(
      int port, Function<String, @Nullable String> reading, Function<String, String> expected) {
    int served = 0;
    List<String> disagreements = new ArrayList<>();
    for (String spelling : spellings()) {
      String ours = reading.apply(spelling);
      if (ours == null) {
        continue;
      }
      RawHttp.Reply reply = get(port, spelling);
      if (reply.status() != 200) {
        continue;
      }
      served++;
      String theirs = withoutParameters(reply.body());
      if (!theirs.equals(expected.apply(ours))) {
        disagreements.add("%s: served as %s, counted as %s".formatted(spelling, theirs, ours));
      }
    }
    assertThat(disagreements).as("seed %d", SEED).isEmpty();
    assertThat(served).isGreaterThan(SPELLINGS / 100);
  }

  /** A reading in our form: parameters belong to a name, and slashes only separate names. */
  private static String withoutParameters(String path) {
    if (!path.startsWith("/")) {
      return path;
    }
    StringBuilder names = new StringBuilder();
    for (String segment : path.split("/", -1)) {
      String name = segment.indexOf(';') < 0 ? segment : segment.substring(0, segment.indexOf(';'));
      names.append(name.isEmpty() ? "" : "/" + name);
    }
    return names.isEmpty() ? "/" : names.toString();
  }

  @Test
  @DisplayName("T75: what nginx serves is what we match, or is refused")
  void t75Nginx(@TempDir Path folder) throws IOException {
    Program nginx = Program.orSkip("nginx");
    int port = Ports.free();
    Files.writeString(
        folder.resolve("nginx.conf"),
        """
        daemon off;
        master_process off;
        pid nginx.pid;
        error_log stderr crit;
        events {}
        http {
            access_log off;
            client_body_temp_path client_body;
            proxy_temp_path proxy;
            fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            server {
                listen 127.0.0.1:%d;
                location / {
                    default_type text/plain;
                    return 200 "$uri";
                }
            }
        }
        """
            .formatted(port));
    try (RunningProgram running =
        RunningProgram.start(
            nginx.command("-p", folder + "/", "-c", "nginx.conf", "-e", "stderr"), folder)) {
      running.awaitPort(port);
      assertAgreement(port, PathReadingsIT::oursOrNull, ours -> ours);
    }
  }

  @Test
  @DisplayName("T75: what Tomcat serves is what we match, or is refused")
  void t75Tomcat() {
    try (TestApplication application =
        TestApplication.on(
            Server.TOMCAT, List.of(ContainerReading.class), "ratelimit.enabled=false")) {
      assertAgreement(application.port(), PathReadingsIT::oursOrNull, ours -> ours);
    }
  }

  @ParameterizedTest
  @EnumSource(Server.class)
  @DisplayName("T75: what Spring routes to a handler is what we match, or is refused")
  void t75Spring(Server server) {
    try (TestApplication application =
        TestApplication.on(server, List.of(Reports.class), "ratelimit.enabled=false")) {
      assertAgreement(application.port(), PathReadingsIT::ofStarterOrNull, PathReadingsIT::handler);
    }
  }

  private static String handler(String path) {
    return path.matches("/reports/[^/]+") ? "report" : path.substring(1);
  }
}
