package dev.weir.server;

import dev.weir.control.ControlPlane;
import dev.weir.control.configuration.ConfigurationState;
import dev.weir.policy.DecisionHealth;
import dev.weir.policy.DecisionHealth.StoreReport;
import dev.weir.policy.FailureMode;
import dev.weir.policy.Gate;
import dev.weir.policy.JsonText;
import dev.weir.policy.config.ConfigFile;
import dev.weir.server.metrics.ServerMetrics;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Says how the service is: health, readiness, metrics, and what it answers to. */
final class StatusService {
  private final Gate gate;
  private final Counters counters;
  private final DecisionHealth health;
  private final ConfigFile config;
  private final ControlPlane control;
  private final EnvoyPart envoy;
  private final ServerMetrics metrics;
  private final String openApi;
  private volatile boolean isStopping;

  StatusService(
      Gate gate,
      Counters counters,
      DecisionHealth health,
      ConfigFile config,
      ControlPlane control,
      EnvoyPart envoy,
      ServerMetrics metrics) {
    this.gate = gate;
    this.control = control;
    this.envoy = envoy;
    this.counters = counters;
    this.health = health;
    this.config = config;
    this.metrics = metrics;
    this.openApi = resource("openapi.json");
  }

  private static String resource(String name) {
    try (InputStream in = StatusService.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  List<Route> routes() {
    return List.of(
        Route.get("/healthz", Access.OPEN, StatusService::health).takingAnything(),
        Route.get("/readyz", Access.OPEN, this::ready).takingAnything(),
        Route.get("/metrics", Access.METRICS, this::metrics).takingAnything(),
        Route.get("/openapi.json", Access.ASKER, exchange -> exchange.json(openApi)));
  }

  /** Whether it can decide. */
  boolean isReady() {
    return !isStopping && decides();
  }

  private boolean decides() {
    return decides(health.state(counters.report()));
  }

  private boolean decides(DecisionHealth.State state) {
    boolean counts =
        state != DecisionHealth.State.FAILED
            || gate.policy().definition().failureMode() != FailureMode.CLOSED;
    return counts && envoy.isReady();
  }

  /** From now on the service says that it is not ready, so that no more is sent to it. */
  void stopping() {
    isStopping = true;
  }

  private static void health(Exchange exchange) {
    exchange.json(new JsonText().put("status", "ok").toString());
  }

  /**
   * Ready is who can decide: with counters that cannot be used at all, every policy but one that
   * refuses everything then. With some of them it is enough to be ready. To take such instances out
   * of service would take all out at once. Not ready is who has no rules for Envoy since their
   * files were wrong at the start: others may have better ones.
   */
  private void ready(Exchange exchange) {
    StoreReport report = counters.report();
    DecisionHealth.State state = health.state(report);
    Readiness readiness = readiness(state);
    JsonText answer =
        new JsonText()
            .put("status", readiness.toString())
            .putObject(
                "counters",
                text ->
                    text.put("backend", counters.toString())
                        .put("state", word(report.reach(), state))
                        .put("failure_mode", gate.policy().definition().failureMode().toString())
                        .put("problems", counters.complaints()))
            .putObject("policy", this::putPolicy)
            .putObject("database", this::putDatabase);
    if (envoy.isWanted()) {
      answer.putObject("envoy", envoy::putState);
    }
    exchange.end(readiness.httpStatus(), Exchange.JSON, answer.toString());
  }

  private static String word(DecisionHealth.Reach reach, DecisionHealth.State state) {
    return switch (reach) {
      case NONE -> "unreachable";
      case SOME -> "partly reachable";
      case ALL -> state == DecisionHealth.State.FAILED ? "failing" : "reachable";
    };
  }

  /** Reads each state once: the signal to stop may come at any time. */
  private Readiness readiness(DecisionHealth.State state) {
    return Readiness.of(isStopping, decides(state), state);
  }

  /** How the service is in short, and all that is wrong with it. */
  void putState(JsonText text) {
    List<String> problems = new ArrayList<>(counters.complaints());
    RuntimeException failure = config.lastFailure();
    if (failure != null) {
      problems.add("the configuration was not taken over: " + failure.getMessage());
    }
    ConfigurationState state = control.state();
    if (!control.isReachable()) {
      problems.add("the database cannot be reached: " + state);
    } else if (!state.isCurrent()) {
      problems.add("the database is not followed: " + state);
    }
    control.problem().ifPresent(problems::add);
    text.put("backend", counters.toString())
        .put("state", readiness(health.state(counters.report())).toString())
        .put("problems", problems)
        .put("policy", gate.policy().version());
  }

  private void putPolicy(JsonText text) {
    RuntimeException failure = config.lastFailure();
    text.put("version", gate.policy().version())
        .put("source", config.source())
        .put("state", failure == null ? "current" : "change refused");
    if (failure != null) {
      text.put("problem", String.valueOf(failure.getMessage()));
    }
  }

  private void putDatabase(JsonText text) {
    ConfigurationState state = control.state();
    text.put("url", control.toString())
        .put(
            "state",
            !control.isReachable() ? "unreachable" : state.isCurrent() ? "current" : "behind")
        .put("configuration", state.toString())
        .put("version", state.version())
        .put("age_seconds", control.age().toSeconds())
        .put("waiting", control.waiting())
        .put("dropped", control.dropped());
    control.problem().ifPresent(why -> text.put("problem", why));
  }

  private void metrics(Exchange exchange) {
    // A large policy has thousands of lines.
    exchange.onWorker(metrics::text, text -> exchange.end(200, ServerMetrics.CONTENT_TYPE, text));
  }
}
