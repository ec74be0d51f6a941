package dev.weir.backtest;

import dev.weir.backtest.BacktestReport.Before;
import dev.weir.backtest.BacktestReport.ClientRow;
import dev.weir.policy.JsonText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** A report for programs: one JSON object on one line. */
final class ReportJson {
  private final BacktestReport report;

  private ReportJson(BacktestReport report) {
    this.report = report;
  }

  /** The object, to which more can be added. */
  static JsonText of(BacktestReport report) {
    return new ReportJson(report).text();
  }

  private JsonText text() {
    JsonText json = new JsonText().put("policy", report.policy());
    Before before = report.before();
    if (before instanceof Before.Policy other) {
      json.put("compared_with", "policy").put("against", other.policy());
    } else {
      json.put("compared_with", before instanceof Before.Log ? "log" : "nothing");
    }
    if (report.from() != null && report.to() != null) {
      json.put("from", report.from().toString()).put("to", report.to().toString());
    }
    putComparison(json, report.totals());
    json.putObjects(
        "rules",
        report.rules(),
        (each, row) -> {
          putComparison(each.put("rule", row.rule()), row.comparison());
          each.put("shadow_refused", row.shadowRefused());
        });
    json.putObjects(
        "endpoints",
        report.endpoints(),
        (each, row) -> putComparison(each.put("endpoint", row.endpoint()), row.comparison()));
    json.putObjects("refused_clients", report.refused(), this::putClient);
    json.putObjects("hurt_clients", report.hurt(), this::putClient);
    putTimeline(json);
    return putLog(json).put("warnings", report.warnings());
  }

  private void putComparison(JsonText json, Comparison comparison) {
    json.putObject("after", inner -> putTally(inner, comparison.after()));
    if (report.isCompared()) {
      json.putObject("before", inner -> putTally(inner, comparison.before()))
          .put("newly_refused", comparison.newlyRefused())
          .put("no_longer_refused", comparison.noLongerRefused());
    }
  }

  private static void putTally(JsonText json, Tally tally) {
    json.put("requests", tally.requests())
        .put("allowed", tally.allowed())
        .put("throttled", tally.throttled())
        .put("blocked", tally.blocked());
  }

  private void putClient(JsonText json, ClientRow row) {
    json.put("client", row.client())
        .put("requests", row.requests())
        .put("refused", row.refused())
        .put("may_miss", row.mayMiss());
    if (report.isCompared()) {
      json.put("newly_refused", row.newlyRefused()).put("no_longer_refused", row.noLongerRefused());
    }
  }

  private void putTimeline(JsonText json) {
    json.put("step_ms", report.timeline().stepMicros() / 1_000)
        .putObjects(
            "timeline",
            report.timeline().steps(),
            (each, step) ->
                putComparison(
                    each.put(
                        "at", Instant.EPOCH.plus(step.atMicros(), ChronoUnit.MICROS).toString()),
                    step.comparison()));
  }

  private JsonText putLog(JsonText json) {
    LogCounts log = report.log();
    return json.putObject(
        "log",
        inner ->
            inner
                .put("lines", log.lines())
                .put("requests", log.requests())
                .put("bad", log.bad())
                .put("malformed", log.malformed())
                .put("skipped", log.skipped())
                .put("late", log.late())
                .put("decided_by_lists", report.decidedByLists())
                .put("examples", log.examples()));
  }
}
