package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bearer tokens cannot be guessed without limit, on any route that looks at them. */
class TokenAttemptsIT {
  private static final String ADMIN = "the-admin-token-of-this-test";
  private static final String READ = "the-read-token-of-this-test";
  private static final String CHECK = "the-check-token-of-this-test";
  private static final int MOST = 60;

  private TestServer server;

  @BeforeEach
  void start(@TempDir Path folder) {
    server =
        new TestServer(
            folder,
            "",
            "RATE_LIMIT_SERVER_ADMIN_TOKEN",
            ADMIN,
            "RATE_LIMIT_SERVER_READ_TOKEN",
            READ,
            "RATE_LIMIT_SERVER_CHECK_TOKEN",
            CHECK);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Caller.Reply get(String path, String token, String... headers) {
    String[] all = new String[headers.length + 2];
    all[0] = "Authorization";
    all[1] = "Bearer " + token;
    System.arraycopy(headers, 0, all, 2, headers.length);
    return server.caller.call("GET", path, null, all);
  }

  private void guess(String path) {
    for (int i = 0; i < MOST; i++) {
      get(path, "guess-" + i);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/admin/rules", "/v1/session", "/v1/auth", "/openapi.json"})
  @DisplayName("T81: after 60 wrong tokens in a minute even the right one is not looked at")
  void t81(String path) {
    guess(path);

    assertThat(get(path, "guess").status()).isEqualTo(429);
    Caller.Reply right = get(path, ADMIN);
    assertThat(right.status()).isEqualTo(429);
    assertThat(right.field("retry-after")).isEqualTo("60");
    assertThat(right.json().get("field").asText()).isEqualTo("authorization");

    server.time.advance(Duration.ofMinutes(1));
    assertThat(get(path, ADMIN).status()).isNotIn(401, 429);
  }

  @Test
  @DisplayName("T81: a token that an address has shown before keeps working while others guess")
  void t81KnownTokensWork() {
    assertThat(get("/v1/admin/rules", READ).status()).isEqualTo(200);
    guess("/v1/admin/rules");

    assertThat(get("/v1/admin/rules", READ).status()).isEqualTo(200);
    assertThat(get("/v1/admin/rules", ADMIN).status()).isEqualTo(429);
  }

  @Test
  @DisplayName("T81: wrong tokens from one address do not limit another one of the same proxy")
  void t81OtherAddressesWork() {
    guess("/v1/admin/rules");

    assertThat(get("/v1/admin/rules", ADMIN).status()).isEqualTo(429);
    assertThat(get("/v1/admin/rules", ADMIN, "X-Forwarded-For", "198.51.100.1").status())
        .isEqualTo(200);
  }

  @Test
  void requestsWithoutATokenAreNotCounted() {
    for (int i = 0; i < 2 * MOST; i++) {
      assertThat(server.caller.get("/v1/admin/rules").status()).isEqualTo(401);
    }
    assertThat(get("/v1/admin/rules", ADMIN).status()).isEqualTo(200);
  }
}
