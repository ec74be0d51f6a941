package dev.weir.server;

import dev.weir.TimeSource;
import dev.weir.backtest.Backtest;
import dev.weir.backtest.BacktestReport;
import dev.weir.backtest.LogCounts;
import dev.weir.control.ControlPlane;
import dev.weir.control.configuration.Edit;
import dev.weir.control.configuration.EntryKind;
import dev.weir.policy.Gate;
import dev.weir.policy.JsonText;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.config.Config;
import dev.weir.policy.config.ConfigReader;
import dev.weir.server.traffic.KeptTraffic;
import dev.weir.server.traffic.PastRequests;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tries out rules and policies on requests of the past, over the admin API. Nothing is changed by
 * it. It is much work, so one is done at a time: decisions come first.
 */
final class AdminPreview {
  private static final long MOST_MINUTES = 1_440;
  private static final long USUAL_MINUTES = 60;
  private static final long PATIENCE_SECONDS = 5;

  private final Gate gate;
  private final Supplier<Live> live;
  private final ControlPlane control;
  private final KeptTraffic traffic;
  private final TimeSource time;
  private final Semaphore turn = new Semaphore(1, true);

  AdminPreview(
      Gate gate, Supplier<Live> live, ControlPlane control, KeptTraffic traffic, TimeSource time) {
    this.gate = gate;
    this.live = live;
    this.control = control;
    this.traffic = traffic;
    this.time = time;
  }

  List<Route> routes() {
    return List.of(
        AdminCall.ask("preview", exchange -> exchange.body(body -> preview(exchange, body))),
        AdminCall.ask("backtest", exchange -> exchange.body(body -> backtest(exchange, body))));
  }

  private void preview(Exchange exchange, byte[] body) {
    Map<String, Object> said = JsonBody.document(body);
    requireKnown(said, Set.of("rule", "remove", "minutes", "source"));
    Edit edit = edit(said);
    String removed = string(said, "remove");
    if (edit == null && removed == null) {
      throw new MalformedRequestException("rule", "must be given, or else remove");
    }
    Duration last = last(said);
    PastRequests.Source source = source(said);
    AdminCall.onDatabase(
        exchange,
        () ->
            inTurn(
                () -> {
                  PolicyDefinition next = policyWith(edit, removed, AdminCall.actor(exchange));
                  PastRequests past = past(source, last);
                  return json(past.source(), notes(past, next), replayed(next, past));
                }),
        exchange::json);
  }

  private void backtest(Exchange exchange, byte[] body) {
    Map<String, Object> said = JsonBody.document(body);
    requireKnown(said, Set.of("policy", "minutes", "source"));
    String text = string(said, "policy");
    if (text == null) {
      throw new MalformedRequestException("policy", "must be given: the text of a weir.toml");
    }
    Duration last = last(said);
    PastRequests.Source source = source(said);
    AdminCall.onDatabase(
        exchange,
        () ->
            inTurn(
                () -> {
                  Config next = ConfigReader.parse(text, "policy", Map.of());
                  PastRequests past = past(source, last);
                  return noted(replayed(next.policy(), past), notes(past, next.policy())).toJson();
                }),
        exchange::json);
  }

  private <T> T inTurn(Callable<T> task) throws Exception {
    if (!turn.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AdminCall.Unavailable(
          "preview", "preview is busy with others; try again in a moment");
    }
    try {
      return task.call();
    } finally {
      turn.release();
    }
  }

  private static void requireKnown(Map<String, Object> said, Set<String> known) {
    for (String name : said.keySet()) {
      if (!known.contains(name)) {
        throw new MalformedRequestException(name, "is not known here");
      }
    }
  }

  private static @Nullable String string(Map<String, Object> said, String name) {
    Object value = said.get(name);
    if (value != null && !(value instanceof String)) {
      throw new MalformedRequestException(name, "must be a string");
    }
    return (String) value;
  }

  private static @Nullable Edit edit(Map<String, Object> said) {
    Object rule = said.get("rule");
    if (rule == null) {
      return null;
    }
    if (!(rule instanceof Map<?, ?> members)) {
      throw new MalformedRequestException("rule", "must be an object, as rules are");
    }
    Map<String, Object> document = new LinkedHashMap<>();
    members.forEach((name, value) -> document.put(String.valueOf(name), value));
    return document.get("name") instanceof String name
        ? new Edit.Put(EntryKind.RULE, name, document, null, false)
        : new Edit.Create(EntryKind.RULE, document);
  }

  private static Duration last(Map<String, Object> said) {
    Object minutes = said.getOrDefault("minutes", USUAL_MINUTES);
    if (minutes instanceof Long number && number >= 1 && number <= MOST_MINUTES) {
      return Duration.ofMinutes(number);
    }
    throw new MalformedRequestException(
        "minutes", "must be a whole number from 1 to " + MOST_MINUTES);
  }

  private static PastRequests.@Nullable Source source(Map<String, Object> said) {
    Object text = said.getOrDefault("source", "auto");
    for (PastRequests.Source source : PastRequests.Source.values()) {
      if (source.toString().equals(text)) {
        return source;
      }
    }
    if (text.equals("auto")) {
      return null;
    }
    throw new MalformedRequestException("source", "must be auto, traffic or audit");
  }

  /** What would hold. */
  private PolicyDefinition policyWith(@Nullable Edit edit, @Nullable String removed, String actor) {
    PolicyDefinition next =
        edit == null
            ? gate.policy().definition()
            : control.entries().tryOut(actor, edit).merged().policy();
    return removed == null ? next : without(next, removed);
  }

  private static PolicyDefinition without(PolicyDefinition policy, String name) {
    if (policy.rules().stream().noneMatch(rule -> rule.name().equals(name))) {
      throw new MalformedRequestException(
          "remove", "must be the name of a rule, got \"" + name + "\"");
    }
    return policy.withRules(
        policy.rules().stream().filter(rule -> !rule.name().equals(name)).toList());
  }

  private PastRequests past(PastRequests.@Nullable Source source, Duration last) {
    Live now = live.get();
    return PastRequests.find(
        source, last, traffic, control.audit(), now.config(), now.known()::complete, time);
  }

  /** What becomes of them, compared with the policy that holds. */
  private BacktestReport replayed(PolicyDefinition next, PastRequests past) {
    Config config = live.get().config();
    Backtest backtest =
        Backtest.of(
            config.withPolicy(next),
            config.withPolicy(gate.policy().definition()),
            Backtest.USUAL_TOP);
    past.requests().forEach(backtest::accept);
    long count = past.requests().size();
    return backtest.report(new LogCounts(count, count, 0, 0, 0, 0, List.of()));
  }

  /** What one should know of the requests, to believe what comes of them. */
  private List<String> notes(PastRequests past, PolicyDefinition next) {
    Set<String> missing = new TreeSet<>();
    for (PolicyDefinition each : List.of(next, gate.policy().definition())) {
      each.rules().forEach(rule -> missing.addAll(rule.match().headers().keySet()));
    }
    missing.removeAll(past.fields());
    List<String> notes = new ArrayList<>(past.notes());
    if (!missing.isEmpty()) {
      notes.add(
          "rules that ask for header fields hold for no request, since these are not kept: "
              + String.join(", ", missing));
    }
    return notes;
  }

  private static String json(
      PastRequests.Source source, List<String> notes, BacktestReport report) {
    JsonText text = new JsonText().put("source", source.toString());
    AdminCall.putOrNull(text, "note", notes.isEmpty() ? null : String.join("; ", notes));
    AdminCall.putOrNull(text, "from", report.from() == null ? null : report.from().toString());
    AdminCall.putOrNull(text, "to", report.to() == null ? null : report.to().toString());
    return text.put("requests", report.totals().after().requests())
        .put("refused_before", report.totals().before().refused())
        .put("refused_after", report.totals().after().refused())
        .put("newly_refused", report.totals().newlyRefused())
        .put("no_longer_refused", report.totals().noLongerRefused())
        .putObjects(
            "clients",
            report.hurt(),
            (each, client) ->
                each.put("client", client.client())
                    .put("newly_refused", client.newlyRefused())
                    .put("requests", client.requests()))
        .toString();
  }

  /** The report with more that one should know to read it. */
  private static BacktestReport noted(BacktestReport report, List<String> notes) {
    List<String> warnings = new ArrayList<>(notes);
    warnings.addAll(report.warnings());
    return new BacktestReport(
        report.policy(),
        report.before(),
        report.from(),
        report.to(),
        report.totals(),
        report.rules(),
        report.endpoints(),
        report.refused(),
        report.hurt(),
        report.timeline(),
        report.log(),
        report.decidedByLists(),
        warnings);
  }
}
