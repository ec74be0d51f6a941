package dev.weir.server;

import dev.weir.LimitStatus;
import dev.weir.control.ControlPlane;
import dev.weir.policy.Client;
import dev.weir.policy.Gate;
import dev.weir.policy.JsonText;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.Usage;
import dev.weir.policy.config.ConfigException;
import dev.weir.policy.config.ConfigFile;
import dev.weir.server.metrics.ServerMetrics;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The admin API: what those who operate the service look at and change. Every act is logged. */
final class AdminService {
  private final Gate gate;
  private final Supplier<Live> live;
  private final ConfigFile config;
  private final ControlPlane control;
  private final ServerMetrics metrics;

  AdminService(
      Gate gate,
      Supplier<Live> live,
      ConfigFile config,
      ControlPlane control,
      ServerMetrics metrics) {
    this.gate = gate;
    this.live = live;
    this.config = config;
    this.control = control;
    this.metrics = metrics;
  }

  List<Route> routes() {
    return List.of(
        AdminCall.get("policy", this::policy),
        AdminCall.post("policy/reload", this::reload),
        AdminCall.get("counters/{client}", this::counters),
        AdminCall.delete("counters/{client}", this::resetCounters).taking(Route.DRY_RUN),
        AdminCall.get("stats", exchange -> exchange.json(metrics.statsJson())));
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
    AdminCall.log(exchange, "reload the policy");
    exchange.onWorker(
        this::reloaded, answer -> exchange.end(answer.status, Exchange.JSON, answer.body));
  }

  private record Reloaded(int status, String body) {}

  private Reloaded reloaded() {
    try {
      List<String> later = config.reload();
      control.refresh();
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

  /** Goes on with the client that is asked for, and with what is known of it. */
  private void client(Exchange exchange, Consumer<Client> then) {
    Live now = live.get();
    Client client = Client.parse(exchange.parameter(), now.config().client().ipv6Prefix());
    exchange.after(now.known().awaited(client), () -> then.accept(completed(client, now)));
  }

  /** With limits of its own, if it has any; a key alone stays what it is, and is not its user. */
  static Client completed(Client client, Live now) {
    return client.key() == null ? now.known().complete(client) : client;
  }

  private void counters(Exchange exchange) {
    client(
        exchange, client -> exchange.when(gate.usage(client), usage -> exchange.json(json(usage))));
  }

  private static String json(Usage usage) {
    JsonText text = new JsonText().put("client", usage.client());
    put(text, usage);
    return text.toString();
  }

  /** Adds what a client has used. */
  static void put(JsonText text, Usage usage) {
    text.put("penalty", usage.penaltySeconds())
        .putObjects("counters", usage.used(), AdminService::put);
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
    client(exchange, client -> reset(exchange, client));
  }

  private void reset(Exchange exchange, Client client) {
    if (exchange.isDryRun()) {
      exchange.when(
          gate.usage(client),
          usage -> {
            JsonText text = new JsonText().put("client", usage.client());
            put(text, usage);
            exchange.json(text.put(Route.DRY_RUN, true).toString());
          });
      return;
    }
    AdminCall.log(exchange, "reset the counters of " + client.id());
    exchange.when(
        gate.reset(client),
        done ->
            exchange.json(new JsonText().put("client", client.id()).put("reset", true).toString()));
  }
}
