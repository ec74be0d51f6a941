package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.weir.testkit.redis.RedisServer;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The description of the API is true: all of it is there, and all that is there is in it. */
class OpenApiIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TOKEN = "s3cret";
  private static final String[] SHOWN = {"Authorization", "Bearer " + TOKEN};
  private static final String CHECK = "{\"path\": \"/\", \"user\": \"alice\"}";
  private static final String LONG = "{\"path\": \"" + "a".repeat(70_000) + "\"}";
  private static final String ENVOY =
      "{\"domain\": \"edge\", \"descriptors\": [{\"entries\": [{\"key\": \"user\", \"value\": \"a\"}]}]}";
  private static final String BLOCK = "{\"client\": \"user:mallory\", \"reason\": \"abuse\"}";

  @TempDir private Path folder = Path.of("");
  private final JsonNode api;
  private final Set<String> produced = new TreeSet<>();

  OpenApiIT() throws IOException {
    try (var in = StatusService.class.getResourceAsStream("openapi.json")) {
      this.api = JSON.readTree(in);
    }
  }

  @Test
  void aValidatorThatIsNotOursFindsItRight() throws Exception {
    Path file = Files.writeString(folder.resolve("openapi.json"), api.toString());
    Process npm =
        new ProcessBuilder(
                "bash",
                "-c",
                "command -v npm >/dev/null || exit 77; npm exec --yes"
                    + " --package=@seriousme/openapi-schema-validator@2.4.1 -- validate-api "
                    + file)
            .redirectErrorStream(true)
            .start();
    String printed = new String(npm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(npm.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assumeTrue(npm.exitValue() != 77, "npm is not installed: apt-get install npm");
    assumeTrue(printed.contains("\"valid\":"), "npm cannot fetch the validator: " + printed);

    assertThat(printed).contains("\"valid\": true");
  }

  @Test
  void everyRouteIsDescribedAndNothingElse() {
    Set<String> described = new TreeSet<>();
    api.get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        method ->
                            described.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));
    Set<String> there = new TreeSet<>();
    try (TestServer server = new TestServer(folder, "")) {
      for (Route route : server.server.allRoutes()) {
        HttpMethod method = route.method();
        there.add((method == null ? "GET" : method.name()) + " " + route.path());
      }
    }
    assertThat(described).isEqualTo(there);
  }

  private static Set<String> difference(Set<String> all, Set<String> without) {
    Set<String> left = new TreeSet<>(all);
    left.removeAll(without);
    return left;
  }

  private Set<String> documented() {
    Set<String> answers = new TreeSet<>();
    api.get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .properties()
                    .forEach(
                        operation ->
                            operation
                                .getValue()
                                .get("responses")
                                .fieldNames()
                                .forEachRemaining(
                                    status ->
                                        answers.add(
                                            operation.getKey()
                                                + " "
                                                + path.getKey()
                                                + " "
                                                + status))));
    return answers;
  }

  /** Takes note of an answer, and holds it against the description. */
  private void check(String method, String template, Caller.Reply reply) throws IOException {
    String what = method + " " + template + " " + reply.status();
    JsonNode responses = api.get("paths").get(template).get(method).get("responses");
    JsonNode described = responses.get(Integer.toString(reply.status()));
    assertThat(described).as("%s is not described: %s", what, reply.body()).isNotNull();
    JsonNode schema = described.at("/content/application~1json/schema");
    if (!schema.isMissingNode()) {
      ObjectNode whole = schema.deepCopy();
      whole.set("components", api.get("components"));
      assertThat(
              JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                  .getSchema(whole)
                  .validate(JSON.readTree(reply.body())))
          .as("%s: %s", what, reply.body())
          .isEmpty();
    }
    produced.add(what);
  }

  private void post(Caller caller, String path, String body, String... headers) throws IOException {
    check("post", path, caller.post(path, body, headers));
  }

  private void get(Caller caller, String path, String... headers) throws IOException {
    check("get", path, caller.get(path, headers));
  }

  private void ofClient(
      Caller caller, String method, String template, String client, String... headers)
      throws IOException {
    String path = template.replace("{client}", client);
    check(method, template, caller.call(method.toUpperCase(Locale.ROOT), path, null, headers));
  }

  private void withUnknownParameters() throws IOException {
    List<String> paths =
        List.of(
            "/openapi.json",
            "/v1/session",
            "/v1/admin/policy",
            "/v1/admin/policy/effective",
            "/v1/admin/stats",
            "/v1/admin/stats/rules");
    try (TestServer server = new TestServer(Files.createDirectory(folder.resolve("unknown")), "")) {
      for (String path : paths) {
        check("get", path, server.caller.get(path + "?nonsense=1"));
      }
      check("delete", "/v1/session", server.caller.delete("/v1/session?nonsense=1"));
    }
  }

  @Test
  void everyAnswerThatIsDescribedCanBeHad() throws Exception {
    withTokens();
    withoutTokens();
    withoutCounters();
    withUnknownParameters();
    AdminAnswers admin = new AdminAnswers(this::check);
    admin.produceAll(folder.resolve("admin"));

    assertThat(difference(documented(), produced)).as("described, but never seen").isEmpty();
    assertThat(difference(produced, documented())).as("seen, but not described").isEmpty();
  }

  private Path rules() throws IOException {
    Path rules = Files.createDirectories(folder.resolve("rules"));
    Files.writeString(
        rules.resolve("edge.yaml"),
        """
        domain: edge
        descriptors:
          - key: user
            rate_limit: {unit: hour, requests_per_unit: 1}
        """);
    return rules;
  }

  private void withTokens() throws IOException {
    try (TestServer server =
        new TestServer(
            folder,
            "[default]\nlimit = 3\nwindow = \"1h\"\n",
            rules(),
            "RATE_LIMIT_SERVER_ADMIN_TOKEN",
            TOKEN,
            "RATE_LIMIT_SERVER_CHECK_TOKEN",
            TOKEN,
            "RATE_LIMIT_SERVER_METRICS_TOKEN",
            TOKEN)) {
      Caller caller = server.caller;
      for (String path : List.of("/v1/check", "/v1/explain")) {
        for (String body : List.of(CHECK, "{}", LONG)) {
          post(caller, path, body, SHOWN);
        }
        post(caller, path, CHECK);
      }
      for (String body : List.of("[" + CHECK + "]", "{}", LONG)) {
        post(caller, "/v1/checks", body, SHOWN);
      }
      post(caller, "/v1/checks", "[]");
      for (String body : List.of("{\"client\": \"user:alice\", \"endpoint\": \"*\"}", "{}", LONG)) {
        post(caller, "/v1/refund", body, SHOWN);
      }
      post(caller, "/v1/refund", "{}");
      auth(caller);
      for (String body : List.of(ENVOY, ENVOY, "{}", LONG)) {
        post(caller, "/json", body, SHOWN);
      }
      post(caller, "/json", ENVOY);
      get(caller, "/healthcheck");
      for (String path :
          List.of(
              "/healthz",
              "/readyz",
              "/metrics",
              "/openapi.json",
              "/v1/admin/policy",
              "/v1/admin/blocks",
              "/v1/admin/exemptions",
              "/v1/admin/stats",
              "/v1/admin/stats/rules",
              "/v1/admin/policy/effective",
              "/v1/admin/live")) {
        get(caller, path, SHOWN);
        get(caller, path);
      }
      check("get", "/v1/admin/live", caller.get("/v1/admin/live?seconds=0", SHOWN));
      pages(caller);
      for (String list : List.of("/v1/admin/blocks", "/v1/admin/exemptions")) {
        for (String body : List.of(BLOCK, "{}", LONG)) {
          post(caller, list, body, SHOWN);
        }
        post(caller, list, BLOCK);
        get(caller, list, SHOWN);
        String template = list + "/{client}";
        ofClient(caller, "delete", template, "user:mallory", SHOWN);
        ofClient(caller, "delete", template, "user:mallory", SHOWN);
        ofClient(caller, "delete", template, "user:mallory");
      }
      for (String method : List.of("get", "delete")) {
        String template = "/v1/admin/counters/{client}";
        ofClient(caller, method, template, "user:alice", SHOWN);
        ofClient(caller, method, template, "alice", SHOWN);
        ofClient(caller, method, template, "user:alice");
      }
      post(caller, "/v1/admin/policy/reload", "", SHOWN);
      post(caller, "/v1/admin/policy/reload", "");
      server.write("wrong = 1");
      post(caller, "/v1/admin/policy/reload", "", SHOWN);
      Files.writeString(folder.resolve("rules").resolve("wrong.yaml"), "domian: more\n");
      server.server.reload();
      get(caller, "/readyz");
      get(caller, "/v1/admin/policy", SHOWN);
      get(caller, "/v1/admin/policy/effective", SHOWN);
    }
  }

  private void pages(Caller caller) throws IOException {
    String session = "/v1/session";
    get(caller, session);
    get(caller, session, SHOWN);
    for (String body : List.of("{\"token\": \"%s\"}".formatted(TOKEN), "{}", LONG)) {
      post(caller, session, body);
    }
    post(caller, session, "{\"token\": \"x\"}", "Origin", "http://evil.example");
    for (int i = 0; i < 6; i++) {
      post(caller, session, "{\"token\": \"x\"}");
    }
    check("delete", session, caller.delete(session, "Origin", "http://evil.example"));
    check("delete", session, caller.delete(session));
    String file = "/dashboard/{file}";
    get(caller, "/");
    get(caller, "/", "If-None-Match", caller.get("/").field("etag"));
    Caller.Reply script = caller.get("/dashboard/preact.module.js");
    check("get", file, script);
    check(
        "get",
        file,
        caller.get("/dashboard/preact.module.js", "If-None-Match", script.field("etag")));
    check("get", file, caller.get("/dashboard/files.txt"));
  }

  private void auth(Caller caller) throws IOException {
    String[] shown = {"Authorization", "Bearer " + TOKEN, "X-Original-URI", "/auth"};
    for (int i = 0; i < 4; i++) {
      get(caller, "/v1/auth", shown);
    }
    get(caller, "/v1/auth", SHOWN);
    get(caller, "/v1/auth", "X-Original-URI", "/auth");
    caller.post("/v1/admin/blocks", "{\"client\": \"ip:127.0.0.1\"}", SHOWN);
    get(caller, "/v1/auth", shown);
    caller.delete("/v1/admin/blocks/ip:127.0.0.1", SHOWN);
  }

  /** Without tokens nothing is answered to web pages. */
  private void withoutTokens() throws IOException {
    String[] page = {"Origin", "http://evil.example"};
    try (TestServer server = new TestServer(folder, "")) {
      Caller caller = server.caller;
      for (String path :
          List.of(
              "/v1/explain",
              "/v1/refund",
              "/v1/admin/policy/reload",
              "/v1/admin/blocks",
              "/v1/admin/exemptions")) {
        post(caller, path, "{}", page);
      }
      for (String path :
          List.of(
              "/openapi.json",
              "/v1/admin/policy",
              "/v1/admin/blocks",
              "/v1/admin/exemptions",
              "/v1/admin/stats",
              "/v1/admin/stats/rules",
              "/v1/admin/policy/effective",
              "/v1/admin/live",
              "/v1/session")) {
        get(caller, path, page);
      }
      get(caller, "/v1/session");
      String counters = "/v1/admin/counters/{client}";
      ofClient(caller, "get", counters, "user:alice", page);
      ofClient(caller, "delete", counters, "user:alice", page);
      ofClient(caller, "delete", "/v1/admin/blocks/{client}", "user:alice", page);
      ofClient(caller, "delete", "/v1/admin/exemptions/{client}", "user:alice", page);
    }
  }

  private void withoutCounters() throws IOException {
    try (RedisServer redis = RedisServer.start();
        TestServer server =
            new TestServer(
                folder,
                "[counters]\nbackend = \"redis\"\nfailure_mode = \"closed\"\n[redis]\nurl = \""
                    + redis.uri()
                    + "\"\n")) {
      redis.kill();
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> server.caller.get("/readyz").status() == 503);
      get(server.caller, "/readyz");
    }
  }
}
