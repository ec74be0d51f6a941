package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of the dashboard as a browser gets them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardIT {
  private TestServer server;
  private Caller caller;

  @BeforeAll
  void start(@TempDir Path folder) {
    server = new TestServer(folder, "", "RATE_LIMIT_SERVER_ADMIN_TOKEN", "s3cret");
    caller = server.caller;
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/dashboard/preact.module.js",
        "/dashboard/hooks.module.js",
        "/dashboard/chart.umd.min.js",
        "/dashboard/nothing.js"
      })
  @DisplayName("T71: pages run no script but ours, and are shown in no frame")
  void pagesAreBoundToThisService(String path) {
    Caller.Reply reply = caller.get(path);

    assertThat(reply.status()).isEqualTo(path.endsWith("nothing.js") ? 404 : 200);
    assertThat(reply.field("content-security-policy"))
        .isEqualTo(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                + " connect-src 'self'; form-action 'none'; base-uri 'none';"
                + " frame-ancestors 'none'");
    assertThat(reply.field("x-content-type-options")).isEqualTo("nosniff");
    assertThat(reply.field("referrer-policy")).isEqualTo("no-referrer");
    assertThat(reply.field("x-frame-options")).isEqualTo("DENY");
    assertThat(reply.field("access-control-allow-origin")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "/, text/html; charset=utf-8",
    "/dashboard/index.html, text/html; charset=utf-8",
    "/dashboard/chart.umd.min.js, text/javascript; charset=utf-8"
  })
  void filesHaveTheirTypes(String path, String type) {
    Caller.Reply reply = caller.get(path);

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.field("content-type")).isEqualTo(type);
    assertThat(reply.field("cache-control")).isEqualTo("no-cache");
    assertThat(reply.body()).isNotBlank();
  }

  @Test
  void modulesFindEachOtherWithoutAMap() {
    assertThat(caller.get("/dashboard/hooks.module.js").body())
        .contains("from\"./preact.module.js\"")
        .doesNotContain("from\"preact\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/dashboard/",
        "/dashboard/files.txt",
        "/dashboard/..%2fopenapi.json",
        "/dashboard/%2e%2e%2fopenapi.json",
        "/dashboard/../openapi.json",
        "/dashboard/x/index.html",
        "/dashboard/index.html%00.js",
        "/dashboard/INDEX.HTML",
        "/index.html",
        "//index.html"
      })
  @DisplayName("T71: nothing but the files of the list is served, whatever a path says")
  void nothingElseIsServed(String path) {
    assertThat(caller.get(path).status()).isIn(400, 401, 404);
  }

  @Test
  void whatABrowserHasIsNotSentAgain() {
    String etag = caller.get("/").field("etag");
    Caller.Reply again = caller.get("/", "If-None-Match", etag);

    assertThat(etag).matches("W/\"[0-9a-f]{16}\"");
    assertThat(again.status()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(again.field("content-security-policy")).startsWith("default-src 'none'");
    assertThat(caller.get("/", "If-None-Match", "W/\"0000000000000000\"").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "gzip, true",
    "'br, GZIP;q=0.5', true",
    "identity, false",
    "'gzip;q=0', false",
    "'gzip; q=0.0, br', false"
  })
  void filesAreSentCompressedIfThatIsUnderstood(String accepted, boolean isPacked)
      throws Exception {
    String path = "/dashboard/chart.umd.min.js";
    Caller.Reply reply = caller.get(path, "Accept-Encoding", accepted);
    byte[] sent = reply.response().bytes();
    byte[] plain = caller.get(path).body().getBytes(StandardCharsets.UTF_8);

    assertThat(!reply.field("content-encoding").isEmpty()).isEqualTo(isPacked);
    assertThat(reply.field("vary")).isEqualTo("Accept-Encoding");
    assertThat(isPacked ? unpacked(sent) : sent).isEqualTo(plain);
    if (isPacked) {
      assertThat(sent.length).isLessThan(plain.length / 2);
    }
  }

  private static byte[] unpacked(byte[] packed) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return in.readAllBytes();
    }
  }

  @Test
  void aHeadIsAnsweredWithoutABody() {
    Caller.Reply head = caller.call("HEAD", "/", null);

    assertThat(head.status()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.field("etag")).isEqualTo(caller.get("/").field("etag"));
  }
}
