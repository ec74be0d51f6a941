package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code keys} asks a server for, and how it shows the answers. */
class KeysCommandsTest {
  private static final String MADE =
      """
      {"id": "6b1f", "user": "alice", "name": "laptop", "tier": null, "limits": ["10/s", "100/h"],
       "active": true, "expires": "2030-01-31T12:00:00.123Z", "key": "wk_6b1f_s3cret", "version": 1}
      """;

  private final ScriptedServer server = new ScriptedServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aNewKeyIsAloneOnStandardOutput() {
    server.answer(201, MADE);
    CommandRun run =
        server.run(
            "keys",
            "create",
            "--user=alice",
            "--name=laptop",
            "--tier=pro",
            "--limit=10/s",
            "--limit=100/h",
            "--expires=2030-01-31T13:00:00+01:00");

    assertThat(run)
        .isEqualTo(
            new CommandRun(
                0,
                "wk_6b1f_s3cret\n",
                "key 6b1f of user alice, name laptop, limits 10/s, 100/h, expires 2030-01-31"
                    + " 12:00:00Z; it is not shown again\n"));
    assertThat(server.call().request()).isEqualTo("POST /v1/admin/keys");
    assertThat(server.call().body())
        .isEqualTo(
            "{\"user\": \"alice\", \"name\": \"laptop\", \"tier\": \"pro\", \"limits\": [\"10/s\","
                + " \"100/h\"], \"expires\": \"2030-01-31T12:00:00Z\"}");
  }

  @Test
  void aKeyMayExpireAfterAWhile() throws IOException {
    server.answer(201, MADE);
    Instant before = Instant.now();
    server.run("keys", "create", "--user", "alice", "--expires", "90d");
    Json body = Json.parse(server.call().body().getBytes(StandardCharsets.UTF_8));

    assertThat(Instant.parse(((Json.Members) body).text("expires")))
        .isBetween(
            before.plus(Duration.ofDays(90)).minusMillis(1),
            Instant.now().plus(Duration.ofDays(90)));
  }

  @Test
  void theKeyIsInTheJsonAndNothingElseIsPrinted() {
    server.answer(201, MADE);

    assertThat(server.run("keys", "create", "--user", "alice", "--json"))
        .isEqualTo(new CommandRun(0, MADE, ""));
  }

  @Test
  void aKeyThatNobodyHasSeenIsTold() {
    server.answer(201, MADE);
    Writer full =
        new Writer() {
          @Override
          public void write(char[] text, int offset, int length) throws IOException {
            throw new IOException("no space left");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    StringWriter err = new StringWriter();
    String[] command = {"keys", "create", "--user", "alice", "--url", server.url()};
    int code =
        Weir.run(
            command,
            Map.of(),
            new Terminal(80, false, true),
            new PrintWriter(full),
            new PrintWriter(err));

    assertThat(code).isEqualTo(1);
    assertThat(err)
        .hasToString(
            "weir keys create: standard output cannot be written, so nobody has seen the key; weir"
                + " keys revoke 6b1f ends it\n");
  }

  @Test
  void anAnswerWithoutAKeyIsNoSuccess() {
    server.answer(200, "{\"id\": \"6b1f\"}");

    assertThat(server.run("keys", "create", "--user", "alice"))
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "weir keys create: %s answered 200, but not with a key; is it a Weir server?\n"
                    .formatted(server.url())));
  }

  @Test
  void allPagesAreListedAsOneTable() {
    server
        .answer(
            200,
            """
            {"items": [{"id": "1", "user": "alice", "name": "laptop", "tier": "pro",
              "limits": ["10/s"], "active": true, "expires": "2999-01-31T12:00:00Z",
              "last_used": "2026-11-16T05:00:00.5Z", "total_requests": 123456789012}],
             "next": "a b/c"}
            """)
        .answer(
            200,
            """
            {"items": [{"id": "22", "user": "bo\\nb", "name": null, "tier": null, "limits": [],
              "active": false, "expires": null, "last_used": null, "total_requests": 0,
              "revoked_at": "2026-11-16T05:00:00Z"},
             {"id": "333", "user": "carol", "active": true, "expires": "2001-01-01T00:00:00Z"},
             {"id": "4", "user": "dave", "active": false}],
             "next": null}
            """);

    assertThat(server.run("keys", "list", "--user", "a&b"))
        .isEqualTo(
            new CommandRun(
                0,
                """
                id   user       name    tier  limits  state     expires               last used             requests
                1    alice      laptop  pro   10/s    active    2999-01-31 12:00:00Z  2026-11-16 05:00:00Z  123456789012
                22   bo\\u000ab  -       -     -       revoked   -                     -                     0
                333  carol      -       -     -       expired   2001-01-01 00:00:00Z  -                     -
                4    dave       -       -     -       inactive  -                     -                     -
                """,
                ""));
    assertThat(server.calls())
        .extracting(ScriptedServer.Call::request)
        .containsExactly(
            "GET /v1/admin/keys?user=a%26b", "GET /v1/admin/keys?user=a%26b&cursor=a%20b%2Fc");
  }

  @Test
  void pagesOfJsonAreLines() {
    server.answer(200, "{\"items\": [], \"next\": \"2\"}").answer(200, "{\"items\": []}");

    assertThat(server.run("keys", "list", "--json").out())
        .isEqualTo("{\"items\": [], \"next\": \"2\"}\n{\"items\": []}\n");
  }

  @Test
  void noKeysAreSaidToBeNone() {
    server.answer(200, "{\"items\": [], \"next\": null}");

    assertThat(server.run("keys", "list").out()).isEqualTo("no keys\n");
    assertThat(server.call().request()).isEqualTo("GET /v1/admin/keys");
  }

  @Test
  void aPageThatPointsToItselfIsNotReadForEver() {
    server
        .answer(200, "{\"items\": [], \"next\": \"2\"}")
        .answer(200, "{\"items\": [], \"next\": \"2\"}");

    assertThat(server.run("keys", "list").err())
        .endsWith(" answered 200, but not with a next page; is it a Weir server?\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"6b1f", "wk_6b1f_s3cret", "wk_6b1f_s3_cr_et"})
  void aKeyIsRevokedByItsIdAndItsSecretStaysHere(String id) {
    server.answer(200, "{\"id\": \"6b1f\", \"user\": \"alice\", \"active\": false}");

    assertThat(server.run("keys", "revoke", id).out())
        .isEqualTo("revoked key 6b1f of user alice\n");
    assertThat(server.call().request()).isEqualTo("DELETE /v1/admin/keys/6b1f");
  }
}
