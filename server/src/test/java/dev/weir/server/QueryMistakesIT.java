package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An error about a query parameter names it as the caller wrote it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueryMistakesIT {
  private TestServer server;
  private Caller caller;

  @BeforeAll
  void start(@TempDir Path folder) {
    server = new TestServer(folder, "");
    caller = server.caller;
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "audit?ip=zzz, ip, 'ip must be an address, for example 203.0.113.7 or 2001:db8::1, got \"zzz\"'",
    "audit?key=%00, key, key must be a text without NUL",
    "audit?decision=maybe, decision, 'decision must be allowed, throttled or blocked'",
    "audit?cursor=x, cursor, cursor must be what the page before gave as its next",
    "acts?cursor=x, cursor, cursor must be what the page before gave as its next",
    "keys?cursor=x, cursor, 'cursor must be what the page before gave as its next, got \"x\"'",
    "stats/history?rule=%00, rule, rule must be a text without NUL",
  })
  void anErrorNamesTheParameterThatWasSent(String call, String parameter, String message) {
    Caller.Reply reply = caller.get("/v1/admin/" + call);

    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.json().get("field").asText()).isEqualTo(parameter);
    assertThat(reply.json().get("message").asText()).startsWith(message);
  }
}
