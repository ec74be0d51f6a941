package dev.weir.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.policy.Cause;
import dev.weir.policy.Outcome;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JsonLineTest {

  private static LogOptions fields(String... fields) {
    Map<String, String> names = new HashMap<>();
    for (int i = 0; i < fields.length; i += 2) {
      names.put(fields[i], fields[i + 1]);
    }
    return ReadLog.USUAL.withFields(FieldMapping.parse(names));
  }

  @Test
  void readsWhatNginxHasNamesFor() throws IOException {
    ReadLog log =
        ReadLog.of(
            """
            {"time_iso8601": "2026-10-10T13:55:36+02:00", "remote_addr": "203.0.113.7", "remote_user": "", "request": "GET /a?b HTTP/1.1", "status": "200"}
            {"msec": "1791640537.250", "time_local": "x", "remote_addr": "2001:db8::7", "remote_user": "alice", "request_method": "POST", "request_uri": "/b?c=d", "status": 429}
            {"time_local": "10/Oct/2026:13:55:37 +0000", "remote_addr": "203.0.113.7", "uri": "/c"}
            """);

    assertThat(log.lines())
        .containsExactly(
            "2026-10-10T11:55:36Z ip:203.0.113.7 GET /a",
            "2026-10-10T13:55:37Z ip:203.0.113.7 GET /c",
            "2026-10-10T13:55:37.250Z user:alice POST /b");
    assertThat(log.counts().late()).isZero();
  }

  @Test
  void readsCaddy() throws IOException {
    String line =
        """
        {"level":"info","ts":1791640536.7501204,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"10.0.0.1","remote_port":"41342","client_ip":"203.0.113.7","proto":"HTTP/2.0","method":"GET","host":"localhost","uri":"/a/b?c","headers":{"User-Agent":["curl/7.82.0"],"X-User":["alice","bob"]},"tls":{"resumed":false}},"bytes_read":0,"user_id":"","duration":0.000929675,"size":10900,"status":200,"resp_headers":{"Server":["Caddy"]}}
        """;

    assertThat(ReadLog.of(line).lines())
        .containsExactly("2026-10-10T13:55:36.750120Z ip:203.0.113.7 GET /a/b");
    assertThat(ReadLog.of(line, fields("user", "request.headers.X-User")).lines())
        .containsExactly("2026-10-10T13:55:36.750120Z user:alice GET /a/b");
    assertThat(ReadLog.of(line, ReadLog.USUAL.withRefusedStatuses(Set.of(429))).requests())
        .extracting(LoggedRequest::outcome)
        .containsExactly(Outcome.ALLOWED);
  }

  @Test
  void readsEventsOfWeir() throws IOException {
    ReadLog log =
        ReadLog.of(
            """
            {"timestamp": "2026-01-01T00:00:00Z", "event_type": "allowed", "endpoint": "*", "path": "/", "method": "GET", "user_id": "alice \\"a\\"\\u000a", "ip_address": "203.0.113.7", "client": "user:alice", "rule": "default", "request_count": 1, "limit": 1, "window_reset": 1767225660, "reason": "within_limits", "policy": "3af2a918fb7c", "server_id": "node-1", "region": "local"}
            {"timestamp": "2026-01-01T00:00:00.000001Z", "event_type": "throttled", "endpoint": "*", "path": "/x", "method": "POST", "api_key_id": "k1", "tier": "pro", "cost": 7, "ip_address": "203.0.113.7", "client": "key:k1", "rule": "default", "reason": "limit_exceeded", "shadow": ["stricter"], "policy": "3af2a918fb7c", "server_id": "node-1", "region": "local"}
            {"timestamp": "2026-01-01T00:00:00.5Z", "event_type": "backend_error", "path": "/x", "method": "POST", "client": "ip:203.0.113.7", "reason": "no answer", "server_id": "node-1", "region": "local"}
            """);

    assertThat(log.counts()).isEqualTo(new LogCounts(3, 2, 0, 0, 1, 0, List.of()));
    LoggedRequest first = log.requests().get(0);
    assertThat(first.request().client().user()).isEqualTo("alice \"a\"\n");
    assertThat(first.outcome()).isEqualTo(Outcome.ALLOWED);
    assertThat(first.cause()).isEqualTo(Cause.WITHIN_LIMITS);
    LoggedRequest second = log.requests().get(1);
    assertThat(second.atMicros()).isEqualTo(first.atMicros() + 1);
    assertThat(second.request().client().key()).isEqualTo("k1");
    assertThat(second.request().client().tier()).isEqualTo("pro");
    assertThat(second.request().cost()).isEqualTo(7);
    assertThat(second.outcome()).isEqualTo(Outcome.THROTTLED);
    assertThat(second.rule()).isEqualTo("default");
  }

  @Test
  void readsOtherFieldsByTheirNames() throws IOException {
    LogOptions options =
        fields(
            "time",
            "at",
            "path",
            "req.url",
            "method",
            "req.verb",
            "ip",
            "peer",
            "user",
            "who.id",
            "tier",
            "who.plan",
            "key",
            "who.key",
            "cost",
            "units");
    ReadLog log =
        ReadLog.of(
            """
            {"at": 1791640536, "req": {"url": "/a?b", "verb": "put"}, "peer": "203.0.113.7:4711", "who": {"id": "alice", "plan": "pro", "key": "k"}, "units": 3}
            {"at": 1791640536750, "req": {"url": "/b", "verb": "get"}, "peer": "[2001:db8::1]:4711", "who": null}
            {"at": 1791640536750001, "req": {"url": "/c"}, "peer": "203.0.113.7", "who": {"id": null}, "units": "2"}
            """,
            options);

    assertThat(log.lines())
        .containsExactly(
            "2026-10-10T13:55:36Z user:alice (pro) PUT /a",
            "2026-10-10T13:55:36.750Z ip:2001:db8::/64 GET /b",
            "2026-10-10T13:55:36.750001Z ip:203.0.113.7 GET /c");
    assertThat(log.requests())
        .extracting(each -> each.request().cost())
        .containsExactly(3L, 1L, 2L);
  }

  @Test
  void saysWhatIsMissingAndWhatWasExpected() throws IOException {
    LogOptions options = fields("time", "at", "path", "url", "cost", "units");
    ReadLog log =
        ReadLog.of(
            """
            {"url": "/a"}
            {"at": "yesterday", "url": "/a"}
            {"at": 1791640536}
            {"at": 1791640536, "url": "/a", "units": "many"}
            {"at": 1791640536, "url": "/a"
            [1]
            {"at": 1791640536, "url": "/a"} x
            {"at": 1791640536, "url": "/%2f"}
            """,
            options.withFormat(LogFormat.JSON));

    assertThat(log.requests()).isEmpty();
    assertThat(log.counts().bad()).isEqualTo(7);
    assertThat(log.counts().malformed()).isEqualTo(1);
    assertThat(log.counts().examples())
        .satisfiesExactly(
            first -> assertThat(first).isEqualTo("standard input:1: must have the time as at"),
            second ->
                assertThat(second)
                    .isEqualTo(
                        "standard input:2: time must be ISO 8601 with a zone, or a number since"
                            + " 1970, got \"yesterday\""),
            third -> assertThat(third).isEqualTo("standard input:3: must have the path as url"),
            fourth ->
                assertThat(fourth)
                    .isEqualTo("standard input:4: cost must be a whole number, got \"many\""),
            fifth -> assertThat(fifth).startsWith("standard input:5: must be a JSON object, but: "),
            sixth -> assertThat(sixth).isEqualTo("standard input:6: must be a JSON object"),
            seventh -> assertThat(seventh).startsWith("standard input:7: must be "),
            eighth ->
                assertThat(eighth)
                    .isEqualTo(
                        "standard input:8: malformed request: path must not contain an encoded /,"
                            + " got \"/%2f\""));
  }

  @Test
  void withoutAnyNameItSaysHowToGiveOne() throws IOException {
    assertThat(
            ReadLog.of("{\"a\": 1}\n", ReadLog.USUAL.withFormat(LogFormat.JSON))
                .counts()
                .examples())
        .containsExactly("standard input:1: no field is known for the time; name it with --field");
  }

  @Test
  void eventsOfUnknownTypeAreBad() throws IOException {
    assertThat(
            ReadLog.of(
                    "{\"timestamp\": \"2026-01-01T00:00:00Z\", \"event_type\": \"eaten\","
                        + " \"path\": \"/\"}\n")
                .counts()
                .examples())
        .containsExactly(
            "standard input:1: decision must be allowed, throttled, blocked or backend_error,"
                + " got \"eaten\"");
  }

  @Test
  void fieldsThatAreNoneAreRefused() {
    assertThatThrownBy(() -> FieldMapping.parse(Map.of("colour", "a")))
        .hasMessage(
            "\"colour\" is no field; write one of time, path, method, ip, user, key, tier, cost,"
                + " status, request");
    assertThatThrownBy(() -> FieldMapping.parse(Map.of("path", "a..b")))
        .hasMessage("path must be a name such as request.uri, got \"a..b\"");
  }
}
