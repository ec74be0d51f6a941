package dev.weir.server;

import dev.weir.CounterStore;
import dev.weir.TimeSource;
import dev.weir.policy.JsonText;
import dev.weir.policy.config.Config;
import dev.weir.server.envoy.EnvoyConfigFolder;
import dev.weir.server.envoy.EnvoyJson;
import dev.weir.server.envoy.EnvoyOptions;
import dev.weir.server.envoy.EnvoyRateLimitService;
import dev.weir.server.envoy.EnvoyStats;
import dev.weir.server.envoy.RateLimitDecider;
import dev.weir.server.metrics.Labels;
import dev.weir.server.metrics.Metric;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The rate limit service for Envoy: its rules come from a folder, if one is named. */
final class EnvoyPart implements AutoCloseable {
  private final EnvoyStats stats = new EnvoyStats();
  private final RateLimitDecider decider;
  private final EnvoyRateLimitService service;
  private final EnvoyJson json;
  private final @Nullable EnvoyConfigFolder folder;
  private volatile boolean mergesDomains;

  /**
   * Reads the rules. If they are wrong, requests get an error until they are right.
   *
   * @throws dev.weir.policy.config.ConfigException if the folder is missing
   */
  EnvoyPart(ServerOptions options, Config config, CounterStore store, TimeSource time) {
    this.decider = new RateLimitDecider(store, stats, time);
    this.service = new EnvoyRateLimitService(decider);
    this.json = new EnvoyJson(decider);
    this.mergesDomains = config.envoy().mergeDomains();
    decider.use(EnvoyOptions.of(config));
    String configured = config.envoy().config();
    Path path = options.envoyConfig();
    if (path == null && !configured.isEmpty()) {
      path = Path.of(configured);
    }
    this.folder =
        path == null ? null : new EnvoyConfigFolder(path, () -> mergesDomains, stats, decider::use);
  }

  /** Goes on by another configuration, and reads the rules again; the folder stays the same. */
  void use(Config config) {
    mergesDomains = config.envoy().mergeDomains();
    decider.use(EnvoyOptions.of(config));
    if (folder != null) {
      folder.reloadAndLog();
    }
  }

  EnvoyRateLimitService service() {
    return service;
  }

  /** What envoyproxy/ratelimit answers to over HTTP. */
  List<Route> routes() {
    return List.of(
        Route.post(
            "/json", Access.CHECK, exchange -> exchange.body(body -> decide(exchange, body))),
        Route.get("/healthcheck", Access.OPEN, exchange -> exchange.end(200, "text/plain", "OK"))
            .takingAnything());
  }

  private void decide(Exchange exchange, byte[] body) {
    exchange.when(
        json.answer(Utf8.decode("body", body)),
        reply -> exchange.end(reply.status(), Exchange.JSON, reply.body()));
  }

  /** Whether there are rules, or nobody wants any. */
  boolean isReady() {
    return folder == null || folder.current() != null;
  }

  /** Whether there is a folder with rules, or should be. */
  boolean isWanted() {
    return folder != null;
  }

  /** Says how the rules are, if somebody wants any. */
  void putState(JsonText text) {
    if (folder == null) {
      return;
    }
    RuntimeException failure = folder.lastFailure();
    String state = !isReady() ? "missing" : failure == null ? "current" : "change refused";
    text.put("source", folder.toString()).put("state", state);
    if (failure != null) {
      text.put("problem", String.valueOf(failure.getMessage()));
    }
  }

  void watch(Duration interval) {
    if (folder != null) {
      folder.watch(interval);
    }
  }

  /**
   * Reads the rules again.
   *
   * @throws dev.weir.policy.config.ConfigException with all mistakes; then those before stay
   */
  void reload() {
    if (folder != null) {
      folder.reload();
    }
  }

  /** How often each rule was hit, and what became of it. */
  List<Metric> metrics() {
    EnvoyStats.Snapshot now = stats.snapshot();
    List<Metric> all = new ArrayList<>();
    all.add(rules(now, "total_hits", "Hits on rules.", EnvoyStats.RuleCounts::totalHits));
    all.add(rules(now, "over_limit", "Hits over limits.", EnvoyStats.RuleCounts::overLimit));
    all.add(
        rules(
            now,
            "near_limit",
            "Hits above four fifths of limits.",
            EnvoyStats.RuleCounts::nearLimit));
    all.add(rules(now, "within_limit", "Hits within limits.", EnvoyStats.RuleCounts::withinLimit));
    all.add(
        rules(
            now,
            "shadow_mode",
            "Hits that a shadow rule let pass.",
            EnvoyStats.RuleCounts::shadowMode));
    all.add(
        rules(
            now,
            "total_negative_hits",
            "Hits that were given back.",
            EnvoyStats.RuleCounts::totalNegativeHits));
    all.add(count("no_match", "Descriptors without a rule.", now.noMatch()));
    all.add(
        count("global_shadow_mode", "Requests that shadow mode let pass.", now.globalShadowMode()));
    all.add(count("service_errors", "Requests that were wrong.", now.serviceErrors()));
    all.add(count("config_load_success", "Rules that took effect.", now.configLoadSuccess()));
    all.add(count("config_load_error", "Rules that were wrong.", now.configLoadError()));
    return all;
  }

  private static Metric rules(
      EnvoyStats.Snapshot now,
      String name,
      String help,
      ToLongFunction<EnvoyStats.RuleCounts> count) {
    List<Metric.Sample> samples = new ArrayList<>();
    for (EnvoyStats.RuleCounts rule : now.rules()) {
      samples.add(Metric.Sample.of(count.applyAsLong(rule), Labels.of("rule", rule.key())));
    }
    return new Metric("weir_envoy_" + name + "_total", help, Metric.Type.COUNTER, samples);
  }

  private static Metric count(String name, String help, long value) {
    return Metric.counter("weir_envoy_" + name + "_total", help, value);
  }

  @Override
  public void close() {
    if (folder != null) {
      folder.close();
    }
  }
}
