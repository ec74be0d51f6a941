package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said when a server does not do as it was told, and who is told the token. */
class AdminClientTest {
  private final ScriptedServer server = new ScriptedServer();

  @AfterEach
  void stop() {
    server.close();
  }

  private static String error(String message, String field) {
    return "{\"error\": \"x\", \"message\": \"%s\", \"field\": \"%s\"}".formatted(message, field);
  }

  private void assertLine(CommandRun run, String line) {
    assertThat(run.err()).isEqualTo(line.replace("<url>", server.url()) + "\n");
    assertThat(run.out()).isEmpty();
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void aServerThatIsNotThereIsNamed() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }

    assertLine(
        CommandRun.of("rules", "list", "--url", "http://127.0.0.1:" + port),
        "weir rules list: http://127.0.0.1:%d cannot be reached: no server listens there"
            .formatted(port));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "SSH-2.0-OpenSSH_9.6\r\n"})
  void whatDoesNotSpeakHttpIsNamed(String greeting) throws Exception {
    Thread other;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      // The client tries again when it is hung up on.
      other = new Thread(() -> greetAll(socket, greeting));
      other.start();
      String url = "http://127.0.0.1:" + socket.getLocalPort();

      assertLine(
          CommandRun.of("rules", "list", "--url", url),
          "weir rules list: %s broke off without an answer that can be read; is it a Weir server?"
              .formatted(url));
    }
    other.join();
  }

  private static void greetAll(ServerSocket socket, String greeting) {
    while (!socket.isClosed()) {
      try (Socket caller = socket.accept()) {
        caller.getInputStream().read();
        caller.getOutputStream().write(greeting.getBytes(StandardCharsets.UTF_8));
      } catch (IOException closed) {
        // By the caller, who has seen enough, or by the test.
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "8080",
        "localhost:8080",
        "ftp://127.0.0.1",
        "http://",
        "http://a b",
        "http://h:0",
        "http://h:99999",
        "http://h/?a=b",
        "http://h/#a"
      })
  void aUrlThatIsNoneIsWrongInput(String url) {
    assertLine(
        CommandRun.of("rules", "list", "--url", url),
        "weir rules list: --url: \"%s\" is no URL of a server; write for example http://127.0.0.1:8080"
            .formatted(url));
  }

  @Test
  void aPasswordInAUrlIsNotRepeated() {
    assertLine(
        CommandRun.of("rules", "list", "--url", "http://root:hunter2@127.0.0.1"),
        "weir rules list: --url: must have no user and no password; who asks is shown by --token");
  }

  @Test
  void aUrlMayHaveAPathAndASlashAtItsEnd() {
    server.answer(200, "{\"items\": [], \"next\": null}");

    assertThat(CommandRun.of("rules", "list", "--url", server.url() + "/weir//").out())
        .isEqualTo("no rules\n");
    assertThat(server.call().request()).isEqualTo("GET /weir/v1/admin/rules");
  }

  @Test
  void aMissingTokenIsAskedFor() {
    server.answer(401, error("authorization must be Bearer with the right token", "authorization"));

    assertLine(
        server.run("rules", "list"),
        "weir rules list: <url> wants a token; give --token or set RATE_LIMIT_SERVER_ADMIN_TOKEN");
    assertThat(server.call().field("Authorization")).isEmpty();
  }

  @Test
  void aWrongTokenIsNotRepeated() {
    server.answer(401, "");

    assertLine(
        server.run("rules", "list", "--token", "hunter2"),
        "weir rules list: <url> does not take the token that was shown");
    assertThat(server.call().field("Authorization")).isEqualTo("Bearer hunter2");
  }

  @Test
  void theTokenOfTheEnvironmentIsShownUnlessOneIsGiven() {
    String none = "{\"items\": [], \"next\": null}";
    server.answer(200, none).answer(200, none);
    Map<String, String> environment = Map.of("RATE_LIMIT_SERVER_ADMIN_TOKEN", "from-environment");
    CommandRun.of(environment, "rules", "list", "--url", server.url());
    CommandRun.of(environment, "rules", "list", "--url", server.url(), "--token", "given");

    assertThat(server.calls())
        .extracting(call -> call.field("Authorization"))
        .containsExactly("Bearer from-environment", "Bearer given");
  }

  @Test
  void aTokenThatNoFieldCanHoldIsNotRepeated() {
    assertLine(
        server.run("rules", "list", "--token", "hunter2\nX-Other: 1"),
        "weir rules list: the admin token must be visible characters of ASCII without blanks; look"
            + " at --token or RATE_LIMIT_SERVER_ADMIN_TOKEN");
    assertThat(server.calls()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400 | limits | limits[0]: \\\"x\\\" is no limit | limits[0]: \"x\" is no limit",
        "403 | origin | origin must be this service | origin must be this service",
        "404 | name | there is no rule search | there is no rule search",
        "404 | path | there is nothing at /v1/admin/rules/search | <url> knows no DELETE"
            + " /v1/admin/rules/search; is it a Weir server as new as this command?",
        "405 | method | method must be GET, got DELETE | <url> knows no DELETE"
            + " /v1/admin/rules/search; is it a Weir server as new as this command?",
        "409 | name | rule search is of the file | rule search is of the file",
        "412 | if-match | version is 4 | somebody has changed it in the meantime, look again:"
            + " version is 4",
        "500 | '' | the log says why | <url> failed: the log says why",
        "503 | database | the database cannot be reached | <url> cannot do that now, try again"
            + " later: the database cannot be reached",
      })
  void aRefusalIsOneLine(int status, String field, String message, String line) {
    server.answer(status, error(message, field));

    assertLine(server.run("rules", "remove", "search"), "weir rules remove: " + line);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "302 | <url> answered 302 and not why; is it a Weir server?",
        "404 | <url> knows no GET /v1/admin/rules; is it a Weir server as new as this command?",
        "502 | <url> answered 502 and not why; is it a Weir server?",
        "503 | <url> cannot do that now, try again later",
        "200 | <url> answered 200, but not with JSON; is it a Weir server?",
      })
  void anAnswerOfAnotherProgramIsOneLine(int status, String line) {
    server.answer(status, "text/html", "<html>\n<title>Welcome</title>\n</html>");

    assertLine(server.run("rules", "list"), "weir rules list: " + line);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[", "[] []", "{\"a\" 1}", "nul"})
  void whatIsNoJsonIsNotPrintedAsJson(String body) {
    server.answer(200, body);

    assertLine(
        server.run("rules", "list", "--json"),
        "weir rules list: <url> answered 200, but not with JSON; is it a Weir server?");
  }

  @Test
  void jsonOfAnotherKindIsOneLine() {
    server.answer(200, "[3]").answer(200, "{\"rules\": 3}").answer(200, "{\"items\": [3]}");

    assertLine(
        server.run("rules", "list"),
        "weir rules list: <url> answered 200, but not with a JSON object; is it a Weir server?");
    for (int i = 0; i < 2; i++) {
      assertLine(
          server.run("rules", "list"),
          "weir rules list: <url> answered 200, but not with items; is it a Weir server?");
    }
  }

  @Test
  void jsonIsPrintedAsItCame() {
    String json = "[{\"name\":\"a\",  \"priority\": 1e2, \"new_member\": [null, \"\u00fc\"]}]";
    server.answer(200, json);

    assertThat(server.run("rules", "list", "--json")).isEqualTo(new CommandRun(0, json + "\n", ""));
  }

  @Test
  void whatAServerSaysStaysOnItsLine() {
    server.answer(400, error("a\\nb \\u001b[31m \\u202e", "name"));

    assertLine(server.run("rules", "list"), "weir rules list: a\\u000ab \\u001b[31m \\u202e");
  }

  @Test
  void everyMistakeThatAServerNamesIsALine() {
    server.answer(
        400,
        "{\"error\": \"Bad Request\", \"message\": \"wrong\", \"field\": \"body\", \"mistakes\":"
            + " [\"import:1:1: a: is unknown\", \"import:2:1: b: is unknown\"]}");

    assertLine(server.run("rules", "list"), "import:1:1: a: is unknown\nimport:2:1: b: is unknown");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rules | weir rules: missing command; see weir rules --help",
        "keys frob | weir keys: unknown command: 'frob'; see weir keys --help",
        "quota set alice | weir quota set: --tier, --hourly, --daily, --burst or --monthly must be"
            + " given; see weir quota set --help",
        "quota get | weir quota get: missing required parameter: '<user>'; see weir quota get --help",
        "quota get a b | weir quota get: one argument too many: 'b'; see weir quota get --help",
        "keys create | weir keys create: missing required option: '--user=<user>'; see weir keys"
            + " create --help",
        "rules add | weir rules add: a name or --file must be given; see weir rules add --help",
        "rules add a --file b.toml | weir rules add: with --file, all of the rule must be in the"
            + " file; see weir rules add --help",
        "rules add --final --file b.toml | weir rules add: with --file, all of the rule must be in"
            + " the file; see weir rules add --help",
        "block user:a --for 1h --until 2030-01-01 | weir block: --for and --until cannot be given"
            + " both; see weir block --help",
        "archive --plan --delete-older-than 9d | weir archive: --plan and --delete-older-than"
            + " cannot be given both; see weir archive --help",
        "export --json | weir export: unknown option: '--json'; see weir export --help",
      })
  void wrongUsageIsTwo(String command, String line) {
    assertThat(CommandRun.of(command.split(" ", -1))).isEqualTo(new CommandRun(2, "", line + "\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rules add a --burst x | weir rules add: --burst: must be a whole number, got \"x\"",
        "quota set a --daily 1.5 | weir quota set: --daily: must be a whole number, got \"1.5\"",
        "block user:a --for 1x | weir block: --for: \"1x\" is no duration; write a number and ms,"
            + " s, m, h or d, for example 60s",
        "block user:a --until 2001-01-01 | weir block: --until: \"2001-01-01\" is over",
        "keys create --user a --expires 0d | weir keys create: --expires: must be longer than"
            + " nothing, got \"0d\"",
        "archive --delete-older-than 0d | weir archive: --delete-older-than: must be longer than"
            + " nothing, got \"0d\"",
        "import no-such-file.toml | weir import: no-such-file.toml cannot be read: there is no such"
            + " file",
        "import src | weir import: src is a folder; name a file in it",
        "rules add --file none.toml | weir rules add: none.toml cannot be read: there is no such"
            + " file",
      })
  void wrongInputIsOneLineAndAsksNobody(String command, String line) {
    assertLine(server.run(command.split(" ", -1)), line);
    assertThat(server.calls()).isEmpty();
  }

  @Test
  void aNameThatCameInBrokenIsNotSent() {
    assertLine(
        server.run("block", "user:Zo\ufffd\ufffd"),
        "weir block: the arguments have letters that this locale does not let through; set LC_ALL"
            + " to one with UTF-8, for example C.UTF-8");
    assertThat(server.calls()).isEmpty();
  }

  @Test
  void anEmptyNameIsWrongInput() {
    assertLine(server.run("rules", "remove", ""), "weir rules remove: <name> must not be empty");
    assertLine(server.run("unblock", ""), "weir unblock: <client> must not be empty");
    assertThat(server.calls()).isEmpty();
  }
}
