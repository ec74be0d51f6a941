package dev.weir.server;

import dev.weir.testkit.process.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Produces all that the admin API can answer where it needs a database. */
final class AdminAnswers {
  private static final String[] PAGE = {"Origin", "http://evil.example"};
  private static final String LONG = "{\"name\": \"" + "a".repeat(70_000) + "\"}";
  private static final String TOKEN = "s3cret";

  private final Check check;

  /** Holds an answer against the description. */
  @FunctionalInterface
  interface Check {
    void accept(String method, String template, Caller.Reply reply) throws IOException;
  }

  /** A route that needs the database, and a request to it that is right. */
  private record Call(String method, String template, String parameter, String body) {}

  AdminAnswers(Check check) {
    this.check = check;
  }

  private static List<Call> calls() {
    List<Call> calls = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      String list = "/v1/admin/" + kind.plural;
      String one = list + "/{name}";
      calls.add(new Call("get", list, "", ""));
      calls.add(new Call("post", list, "", kind.document("other")));
      calls.add(new Call("get", one, "first", ""));
      calls.add(new Call("put", one, "first", kind.document("first")));
      calls.add(new Call("patch", one, "first", "{}"));
      calls.add(new Call("delete", one, "first", ""));
    }
    for (String list : List.of("/v1/admin/blocks", "/v1/admin/exemptions")) {
      calls.add(new Call("get", list, "", ""));
      calls.add(new Call("post", list, "", "{\"client\": \"user:mallory\"}"));
      calls.add(new Call("delete", list + "/{client}", "user:mallory", ""));
    }
    calls.add(new Call("get", "/v1/admin/keys", "", ""));
    calls.add(new Call("post", "/v1/admin/keys", "", "{\"user\": \"alice\"}"));
    String id = "0a0b0c0d-0000-4000-8000-00000000000f";
    calls.add(new Call("get", "/v1/admin/keys/{id}", id, ""));
    calls.add(new Call("put", "/v1/admin/keys/{id}", id, "{}"));
    calls.add(new Call("patch", "/v1/admin/keys/{id}", id, "{}"));
    calls.add(new Call("delete", "/v1/admin/keys/{id}", id, ""));
    calls.add(new Call("get", "/v1/admin/quotas", "", ""));
    calls.add(new Call("get", "/v1/admin/quotas/{user}", "alice", ""));
    calls.add(new Call("put", "/v1/admin/quotas/{user}", "alice", "{}"));
    calls.add(new Call("patch", "/v1/admin/quotas/{user}", "alice", "{}"));
    calls.add(new Call("delete", "/v1/admin/quotas/{user}", "alice", ""));
    calls.add(new Call("get", "/v1/admin/clients", "", ""));
    calls.add(new Call("get", "/v1/admin/clients/{client}", "user:alice", ""));
    calls.add(new Call("post", "/v1/admin/preview", "", preview("tried")));
    calls.add(new Call("post", "/v1/admin/backtest", "", "{\"policy\": \"\"}"));
    calls.add(new Call("get", "/v1/admin/audit", "", ""));
    calls.add(new Call("get", "/v1/admin/acts", "", ""));
    calls.add(new Call("get", "/v1/admin/stats/history", "", ""));
    calls.add(new Call("get", "/v1/admin/archive", "", ""));
    calls.add(new Call("post", "/v1/admin/archive", "", ""));
    calls.add(new Call("delete", "/v1/admin/archive", "", ""));
    calls.add(new Call("get", "/v1/admin/export", "", ""));
    calls.add(new Call("post", "/v1/admin/import", "", ""));
    return calls;
  }

  private static String preview(String rule) {
    return "{\"rule\": %s}".formatted(Kind.RULES.document(rule));
  }

  /** What is configured by name. */
  private enum Kind {
    RULES("rules", "\"match\": {\"path\": \"/x\"}, \"limits\": [\"1/s\"]"),
    TIERS("tiers", "\"limit\": \"1/s\""),
    ENDPOINTS("endpoints", "\"paths\": [\"/y\"], \"limit\": \"1/s\"");

    final String plural;
    private final String rest;

    Kind(String plural, String rest) {
      this.plural = plural;
      this.rest = rest;
    }

    String document(String name) {
      return "{\"name\": \"%s\", %s}".formatted(name, rest);
    }
  }

  void produceAll(Path folder) throws IOException {
    withDatabase(Files.createDirectories(folder.resolve("with")));
    withoutDatabase(Files.createDirectories(folder.resolve("without")));
    withToken(Files.createDirectories(folder.resolve("token")));
  }

  private void call(
      Caller caller,
      String method,
      String template,
      String parameter,
      String body,
      String... fields)
      throws IOException {
    callWith(caller, method, template, template.replaceAll("\\{.*}", parameter), "", body, fields);
  }

  private void callWith(
      Caller caller,
      String method,
      String template,
      String path,
      String query,
      String body,
      String... fields)
      throws IOException {
    check.accept(
        method,
        template,
        caller.call(
            method.toUpperCase(Locale.ROOT),
            path + query,
            body.isEmpty() && !method.equals("post") ? null : body,
            fields));
  }

  private void withToken(Path folder) throws IOException {
    try (TestServer server = new TestServer(folder, "", "RATE_LIMIT_SERVER_ADMIN_TOKEN", TOKEN)) {
      for (Call each : calls()) {
        call(server.caller, each.method, each.template, each.parameter, each.body);
      }
    }
  }

  private void withoutDatabase(Path folder) throws IOException {
    String toml =
        "[database]\nurl = \"jdbc:postgresql://127.0.0.1:%d/weir\"\n".formatted(Ports.free());
    try (TestServer server = new TestServer(folder, toml)) {
      for (Call each : calls()) {
        call(server.caller, each.method, each.template, each.parameter, each.body);
        call(server.caller, each.method, each.template, each.parameter, each.body, PAGE);
      }
    }
  }

  private void withDatabase(Path folder) throws IOException {
    String toml =
        """
        [[tier]]
        name = "filed"
        limit = "5/s"

        [[endpoint]]
        name = "filed"
        paths = ["/filed"]

        [[rule]]
        name = "filed"
        limits = ["5/s"]

        [[exempt]]
        user = "filed"
        """;
    try (TestServer server = new TestServer(folder, toml)) {
      Caller caller = server.caller;
      unknownParameters(caller);
      for (Kind kind : Kind.values()) {
        entries(caller, kind);
      }
      lists(caller);
      keys(caller);
      quotas(caller);
      clients(caller);
      trials(caller);
      others(caller);
    }
  }

  private void unknownParameters(Caller caller) throws IOException {
    for (Call each : calls()) {
      String path = each.template.replaceAll("\\{.*}", each.parameter);
      callWith(caller, each.method, each.template, path, "?nonsense=1", each.body);
    }
  }

  private void entries(Caller caller, Kind kind) throws IOException {
    String list = "/v1/admin/" + kind.plural;
    String one = list + "/{name}";
    String first = kind.document("first");
    callWith(caller, "post", list, list, "?dry_run=true", first);
    call(caller, "post", list, "", first);
    call(caller, "post", list, "", first);
    call(caller, "post", list, "", "{}");
    call(caller, "post", list, "", LONG);
    call(caller, "get", list, "", "");
    call(caller, "get", one, "first", "");
    call(caller, "get", one, "filed", "");
    call(caller, "get", one, "nobody", "");
    call(caller, "put", one, "first", first, "If-Match", "\"1\"");
    call(caller, "put", one, "first", first, "If-Match", "\"1\"");
    call(caller, "put", one, "first", first, "If-None-Match", "*");
    call(caller, "put", one, "nobody", kind.document("nobody"), "If-Match", "\"1\"");
    callWith(caller, "put", one, list + "/second", "?dry_run=true", kind.document("second"));
    call(caller, "put", one, "second", kind.document("second"));
    call(caller, "put", one, "filed", kind.document("filed"));
    call(caller, "put", one, "second", "{\"wrong\": 1}");
    call(caller, "put", one, "second", LONG);
    callWith(caller, "patch", one, list + "/second", "?dry_run=true", "{}");
    call(caller, "patch", one, "second", "{}");
    call(caller, "patch", one, "second", "{\"wrong\": 1}");
    call(caller, "patch", one, "second", LONG);
    call(caller, "patch", one, "second", "{}", "If-Match", "\"7\"");
    call(caller, "patch", one, "nobody", "{}");
    call(caller, "patch", one, "filed", "{}");
    callWith(caller, "delete", one, list + "/second", "?dry_run=true", "");
    callWith(caller, "delete", one, list + "/second", "?dry_run=yes", "");
    call(caller, "delete", one, "second", "", "If-Match", "\"7\"");
    call(caller, "delete", one, "second", "");
    call(caller, "delete", one, "second", "");
    call(caller, "delete", one, "filed", "");
  }

  private void lists(Caller caller) throws IOException {
    call(caller, "post", "/v1/admin/exemptions", "", "{\"client\": \"user:filed\"}");
    for (String list : List.of("/v1/admin/blocks", "/v1/admin/exemptions")) {
      String one = list + "/{client}";
      callWith(caller, "post", list, list, "?dry_run=true", "{\"client\": \"user:tried\"}");
      caller.post(list, "{\"client\": \"user:tried\"}");
      callWith(caller, "delete", one, list + "/user:tried", "?dry_run=true", "");
      caller.delete(list + "/user:tried");
    }
    String counters = "/v1/admin/counters/";
    callWith(caller, "delete", counters + "{client}", counters + "user:tried", "?dry_run=true", "");
  }

  private void keys(Caller caller) throws IOException {
    String list = "/v1/admin/keys";
    String one = list + "/{id}";
    String nobody = "0a0b0c0d-0000-4000-8000-00000000000f";
    Caller.Reply made = caller.post(list, "{\"user\": \"alice\", \"limits\": [\"1/s\"]}");
    check.accept("post", list, made);
    String id = made.body().replaceAll("(?s).*\"id\": \"([^\"]*)\".*", "$1");
    call(caller, "post", list, "", "{}");
    call(caller, "post", list, "", LONG);
    callWith(caller, "post", list, list, "?dry_run=true", "{\"user\": \"alice\"}");
    call(caller, "get", list, "", "");
    callWith(caller, "get", list, list, "?limit=0", "");
    callWith(caller, "patch", one, list + "/" + id, "?dry_run=true", "{\"name\": \"tried\"}");
    call(caller, "patch", one, id, "{\"name\": null}");
    call(caller, "patch", one, id, "{\"limits\": [\"never\"]}");
    call(caller, "patch", one, id, LONG);
    call(caller, "patch", one, nobody, "{}");
    call(caller, "patch", one, id, "{}", "If-Match", "\"9\"");
    call(caller, "get", one, id, "");
    call(caller, "get", one, nobody, "");
    call(caller, "put", one, id, "{\"name\": \"new\"}");
    call(caller, "put", one, id, "{\"limits\": [\"never\"]}");
    call(caller, "put", one, id, LONG);
    call(caller, "put", one, nobody, "{}");
    call(caller, "put", one, id, "{}", "If-Match", "\"9\"");
    call(caller, "delete", one, id, "", "If-Match", "\"9\"");
    call(caller, "delete", one, id, "", "If-Match", "9");
    call(caller, "delete", one, id, "");
    call(caller, "delete", one, nobody, "");
    call(caller, "put", one, id, "{}");
    call(caller, "patch", one, id, "{}");
  }

  private void quotas(Caller caller) throws IOException {
    String list = "/v1/admin/quotas";
    String one = list + "/{user}";
    call(caller, "put", one, "bob", "{\"monthly\": 100}");
    callWith(caller, "patch", one, list + "/bob", "?dry_run=true", "{\"daily\": 5}");
    call(caller, "patch", one, "bob", "{\"daily\": 5}");
    call(caller, "patch", one, "bob", "{\"daily\": 0}");
    call(caller, "patch", one, "bob", LONG);
    call(caller, "patch", one, "bob", "{}", "If-Match", "\"9\"");
    call(caller, "put", one, "bob", "{\"monthly\": 0}");
    call(caller, "put", one, "bob", LONG);
    call(caller, "put", one, "bob", "{}", "If-Match", "\"9\"");
    call(caller, "get", list, "", "");
    callWith(caller, "get", list, list, "?blocked=maybe", "");
    call(caller, "get", one, "bob", "");
    call(caller, "get", one, "nobody", "");
    call(caller, "delete", one, "bob", "", "If-Match", "\"9\"");
    call(caller, "delete", one, "bob", "", "If-Match", "9");
    call(caller, "delete", one, "bob", "");
    call(caller, "delete", one, "nobody", "");
  }

  private void clients(Caller caller) throws IOException {
    String list = "/v1/admin/clients";
    String one = list + "/{client}";
    caller.post("/v1/admin/blocks", "{\"client\": \"user:bob\", \"reason\": \"abuse\"}");
    callWith(caller, "get", list, list, "?q=o", "");
    callWith(caller, "get", list, list, "?limit=0", "");
    call(caller, "get", one, "user:bob", "");
    call(caller, "get", one, "user:alice", "");
    call(caller, "get", one, "user:filed", "");
    call(caller, "get", one, "nobody", "");
  }

  private void trials(Caller caller) throws IOException {
    String preview = "/v1/admin/preview";
    call(caller, "post", preview, "", preview("tried"));
    call(caller, "post", preview, "", preview("filed"));
    call(caller, "post", preview, "", "{}");
    call(caller, "post", preview, "", LONG);
    String backtest = "/v1/admin/backtest";
    call(caller, "post", backtest, "", "{\"policy\": \"\"}");
    call(caller, "post", backtest, "", "{\"policy\": \"wrong = 1\"}");
    call(caller, "post", backtest, "", "{}");
    call(caller, "post", backtest, "", LONG);
  }

  private void others(Caller caller) throws IOException {
    call(caller, "get", "/v1/admin/audit", "", "");
    callWith(caller, "get", "/v1/admin/audit", "/v1/admin/audit", "?usr=alice", "");
    call(caller, "get", "/v1/admin/acts", "", "");
    callWith(caller, "get", "/v1/admin/acts", "/v1/admin/acts", "?cursor=wrong", "");
    call(caller, "get", "/v1/admin/stats/history", "", "");
    String history = "/v1/admin/stats/history";
    callWith(caller, "get", history, history, "?granularity=week", "");
    call(caller, "get", "/v1/admin/archive", "", "");
    call(caller, "post", "/v1/admin/archive", "", "");
    callWith(caller, "post", "/v1/admin/archive", "/v1/admin/archive", "?dry_run=true", "");
    call(caller, "delete", "/v1/admin/archive", "", "");
    callWith(caller, "delete", "/v1/admin/archive", "/v1/admin/archive", "?older_than=1h", "");
    call(caller, "get", "/v1/admin/export", "", "");
    String text = caller.get("/v1/admin/export").body();
    call(caller, "post", "/v1/admin/import", "", text);
    call(caller, "post", "/v1/admin/import", "", "wrong = 1");
    String taken = "[[key]]\nid = \"%s\"\nhash = \"%s\"\nuser = \"a\"\n";
    String twice = taken.formatted("0a0b0c0d-0000-4000-8000-00000000000f", "0".repeat(64));
    call(caller, "post", "/v1/admin/import", "", twice + twice);
    call(caller, "post", "/v1/admin/import", "", "#".repeat((16 << 20) + 1));
  }
}
