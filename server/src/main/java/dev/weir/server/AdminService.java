package dev.weir.server;

import dev.weir.LimitStatus;
import dev.weir.policy.Client;
import dev.weir.policy.ClientList;
import dev.weir.policy.Gate;
import dev.weir.policy.JsonText;
import dev.weir.policy.ListedClient;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.Usage;
import dev.weir.policy.config.ConfigException;
import dev.weir.policy.config.ConfigFile;
import dev.weir.server.metrics.ServerMetrics;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The admin API: what those who operate the service look at and change. Every act is logged. */
final class AdminService {
  private static final System.Logger LOGGER = System.getLogger(AdminService.class.getName());
  private static final int LONGEST_REASON = 1_024;

  private final Gate gate;
  private final Supplier<Live> live;
  private final ConfigFile config;
  private final ServerMetrics metrics;

  AdminService(Gate gate, Supplier<Live> live, ConfigFile config, ServerMetrics metrics) {
    this.gate = gate;
    this.live = live;
    this.config = config;
    this.metrics = metrics;
  }

  List<Route> routes() {
    return List.of(
        get("policy", this::policy),
        post("policy/reload", this::reload),
        get("counters/{client}", this::counters),
        delete("counters/{client}", this::resetCounters),
        get("blocks", exchange -> list(exchange, gate.blocks())),
        post("blocks", exchange -> put(exchange, "block", gate.blocks())),
        delete("blocks/{client}", exchange -> remove(exchange, "unblock", gate.blocks())),
        get("exemptions", exchange -> list(exchange, gate.exemptions())),
        post("exemptions", exchange -> put(exchange, "exempt", gate.exemptions())),
        delete(
            "exemptions/{client}",
            exchange -> remove(exchange, "end the exemption of", gate.exemptions())),
        get("stats", exchange -> exchange.json(metrics.statsJson())));
  }

  private static Route get(String path, Consumer<Exchange> handler) {
    return Route.get("/v1/admin/" + path, Access.ADMIN, guarded(handler));
  }

  private static Route post(String path, Consumer<Exchange> handler) {
    return Route.post("/v1/admin/" + path, Access.ADMIN, guarded(handler));
  }

  private static Route delete(String path, Consumer<Exchange> handler) {
    return Route.delete("/v1/admin/" + path, Access.ADMIN, guarded(handler));
  }

  private static Consumer<Exchange> guarded(Consumer<Exchange> handler) {
    return exchange -> {
      exchange.put("Cache-Control", "no-store");
      exchange.guarded(() -> handler.accept(exchange));
    };
  }

  private static void log(Exchange exchange, String act) {
    LOGGER.log(
        System.Logger.Level.INFO,
        "admin at {0}: {1}",
        exchange.request().remoteAddress().hostAddress(),
        printable(act));
  }

  /** What is logged stays on its line, whatever a client is called. */
  private static String printable(String text) {
    StringBuilder line = new StringBuilder();
    text.chars()
        .forEach(
            c -> {
              if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
                line.append("\\u%04x".formatted(c));
              } else {
                line.append((char) c);
              }
            });
    return line.toString();
  }

  private void policy(Exchange exchange) {
    PolicyDefinition definition = gate.policy().definition();
    JsonText answer =
        new JsonText()
            .put("version", gate.policy().version())
            .put("source", config.source())
            .put("enabled", definition.isEnabled())
            .put("rules", definition.rules().size())
            .put("tiers", definition.tiers().size())
            .put("endpoints", definition.endpoints().size())
            .put("default", definition.defaultLimit().toString())
            .put("failure_mode", definition.failureMode().toString())
            .put("reloads", config.reloads())
            .put("failed_reloads", config.failedReloads());
    RuntimeException failure = config.lastFailure();
    if (failure != null) {
      answer.put("problem", String.valueOf(failure.getMessage()));
    }
    exchange.json(answer.toString());
  }

  private void reload(Exchange exchange) {
    log(exchange, "reload the policy");
    exchange.onWorker(
        this::reloaded, answer -> exchange.end(answer.status, Exchange.JSON, answer.body));
  }

  private record Reloaded(int status, String body) {}

  private Reloaded reloaded() {
    try {
      List<String> later = config.reload();
      return new Reloaded(
          200,
          new JsonText()
              .put("version", gate.policy().version())
              .put("source", config.source())
              .put("needs_restart", later)
              .toString());
    } catch (ConfigException wrong) {
      return new Reloaded(
          400,
          new JsonText()
              .put("error", "Bad Request")
              .put("message", "the policy stays as it was, since the new one is wrong")
              .put("field", config.source())
              .put("mistakes", wrong.mistakes().stream().map(Object::toString).toList())
              .toString());
    }
  }

  private Client client(Exchange exchange) {
    return ClientText.parse(exchange.parameter(), live.get().config().client().ipv6Prefix());
  }

  private void counters(Exchange exchange) {
    exchange.when(gate.usage(client(exchange)), usage -> exchange.json(json(usage)));
  }

  private static String json(Usage usage) {
    return new JsonText()
        .put("client", usage.client())
        .put("penalty", usage.penaltySeconds())
        .putObjects("counters", usage.used(), AdminService::put)
        .toString();
  }

  private static void put(JsonText text, LimitStatus status) {
    long capacity = status.limit().capacity();
    text.put("counter", status.name())
        .put("limit", capacity)
        .put("algorithm", status.limit().algorithm().toString())
        .put("used", capacity - status.remaining())
        .put("remaining", status.remaining())
        .put("reset", -Math.floorDiv(-status.resetMicros(), 1_000_000L));
  }

  private void resetCounters(Exchange exchange) {
    Client client = client(exchange);
    log(exchange, "reset the counters of " + client.id());
    exchange.when(
        gate.reset(client),
        done ->
            exchange.json(new JsonText().put("client", client.id()).put("reset", true).toString()));
  }

  private static void list(Exchange exchange, ClientList list) {
    StringJoiner all = new StringJoiner(", ", "[", "]");
    list.entries().forEach(entry -> all.add(json(entry)));
    exchange.json(all.toString());
  }

  private static String json(ListedClient entry) {
    JsonText text = new JsonText().put("client", entry.client()).put("reason", entry.reason());
    Instant until = entry.until();
    return (until == null ? text.putRaw("until", "null") : text.put("until", until.toString()))
        .toString();
  }

  private static void put(Exchange exchange, String act, ClientList list) {
    exchange.body(
        body -> {
          ListedClient entry = entry(body);
          list.put(entry);
          log(exchange, act + " " + entry.client() + ": " + entry.reason());
          exchange.end(201, Exchange.JSON, json(entry));
        });
  }

  /** What a body says of a client to be put on a list. */
  private static final class Entry {
    @Nullable String client;
    String reason = "";
    @Nullable Instant until;
  }

  private static ListedClient entry(byte[] bytes) {
    Entry read = new Entry();
    try (JsonBody body = new JsonBody(bytes)) {
      body.object(
          name -> {
            switch (name) {
              case "client" -> read.client = body.string(name);
              case "reason" -> read.reason = body.string(name);
              case "until" -> read.until = instant(body.string(name));
              default -> {
                return false;
              }
            }
            return true;
          });
    }
    if (read.client == null) {
      throw new MalformedRequestException("client", "must be given, for example \"user:alice\"");
    }
    if (read.reason.length() > LONGEST_REASON) {
      throw new MalformedRequestException(
          "reason", "must be at most " + LONGEST_REASON + " characters long");
    }
    return listed(read.client, read.reason, read.until);
  }

  private static ListedClient listed(String client, String reason, @Nullable Instant until) {
    try {
      return new ListedClient(client, reason, until);
    } catch (IllegalArgumentException wrong) {
      throw new MalformedRequestException(
          "client", "must be user:<id>, key:<id> or ip:<address or range>");
    }
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException wrong) {
      throw new MalformedRequestException(
          "until", "must be a time in UTC, for example \"2030-01-31T12:00:00Z\"");
    }
  }

  private static void remove(Exchange exchange, String act, ClientList list) {
    String client = listed(exchange.parameter(), "", null).client();
    if (!list.remove(client)) {
      exchange.fail(404, "client", client + " is not on the list");
      return;
    }
    log(exchange, act + " " + client);
    exchange.json(new JsonText().put("client", client).put("removed", true).toString());
  }
}
