package dev.weir.backtest;

import dev.weir.backtest.BacktestReport.Before;
import dev.weir.backtest.BacktestReport.EndpointRow;
import dev.weir.policy.Cause;
import dev.weir.policy.GateListener;
import dev.weir.policy.Outcome;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.Config;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts the requests of a log to a policy, and to what it is compared with: another policy, or what
 * the log says became of them. For one thread; its memory does not grow with the log.
 */
public final class Backtest {
  /** How many clients a list of them has unless given. */
  public static final int USUAL_TOP = 10;

  /** How many requests wait to be decided one right after the other. */
  private static final int BATCH = 64;

  private final Replay after;
  private final @Nullable Replay before;
  private final boolean hasOtherNetworks;
  private final int top;

  private final Sums totals = new Sums();
  private final RuleTable rules = new RuleTable();
  private final Map<String, Sums> endpoints = new HashMap<>();
  private final ClientTable clients = new ClientTable(ClientTable.MOST_CLIENTS);
  private final TimelineSums timeline = new TimelineSums();

  // What was read a while ago lies anywhere in memory. Looked at one right after the other, several
  // requests are fetched at once.
  private final LoggedRequest[] waiting = new LoggedRequest[BATCH];
  private int waitingCount;

  @SuppressWarnings("UnusedVariable") // What nothing is done with would not be fetched.
  private long fetched;

  private long firstMicros = -1;
  private long lastMicros = -1;
  private long recorded;
  private long recordedByWeir;
  private long recordedAllowed;
  private long decidedByLists;

  private Backtest(Replay after, @Nullable Replay before, int top) {
    this.after = after;
    this.before = before;
    this.hasOtherNetworks = before != null && before.ipv6Prefix() != after.ipv6Prefix();
    this.top = top;
  }

  /**
   * Compares a policy with what the log says, if it does.
   *
   * @param top how many clients lists of them have
   * @param told who is told of what the policy decides
   */
  public static Backtest of(Config config, int top, GateListener... told) {
    return new Backtest(new Replay(config, told), null, top);
  }

  /** Compares a policy with another one. */
  public static Backtest of(Config config, Config against, int top, GateListener... told) {
    return new Backtest(new Replay(config, told), new Replay(against), top);
  }

  /** The policy that is tried. */
  public Policy policy() {
    return after.policy();
  }

  /**
   * The next request of the log, whose client was made with the prefix of the policy's own. It is
   * decided soon, at the latest when a report is asked for.
   */
  public void accept(LoggedRequest logged) {
    waiting[waitingCount++] = logged;
    if (waitingCount == waiting.length) {
      decideWaiting();
    }
  }

  private void decideWaiting() {
    for (int i = 0; i < waitingCount; i++) {
      fetched += waiting[i].request().client().id().length();
    }
    for (int i = 0; i < waitingCount; i++) {
      decide(waiting[i]);
    }
    waitingCount = 0;
  }

  private void decide(LoggedRequest logged) {
    long atMicros = logged.atMicros();
    firstMicros = firstMicros < 0 ? atMicros : firstMicros;
    lastMicros = atMicros;
    Outcome recordedOutcome = logged.outcome();
    if (recordedOutcome != null) {
      countRecorded(logged, recordedOutcome);
      if (logged.isDecidedByList() && !isDecidedByPolicy(logged)) {
        keep(logged, recordedOutcome);
        return;
      }
    }
    Request request = logged.request();
    Verdict now = after.decide(atMicros, request);
    Outcome then = recordedOutcome;
    String ruleThen = null;
    if (before != null) {
      Verdict other =
          hasOtherNetworks
              ? before.decideAnew(atMicros, request)
              : before.decide(atMicros, request);
      then = other.outcome();
      ruleThen = RuleTable.nameOf(other.rule(), other.cause());
    } else if (then != null) {
      ruleThen = logged.rule() == null && logged.cause() == null ? null : ruleOf(logged);
    }
    String rule = RuleTable.nameOf(now.rule(), now.cause());
    count(atMicros, request, now.endpoint(), rule, now.outcome(), ruleThen, then);
    if (!now.shadows().isEmpty()) {
      now.refusingShadows().forEach(rules::addShadow);
    }
  }

  private void countRecorded(LoggedRequest logged, Outcome outcome) {
    recorded++;
    if (logged.cause() != null) {
      recordedByWeir++;
      recordedAllowed += outcome == Outcome.ALLOWED ? 1 : 0;
    }
  }

  /** Only a policy to compare with can tell who is exempt by a policy and who by a list. */
  private boolean isDecidedByPolicy(LoggedRequest logged) {
    return logged.cause() == Cause.EXEMPT && before != null && before.exempts(logged.request());
  }

  private void keep(LoggedRequest logged, Outcome outcome) {
    decidedByLists++;
    String rule = RuleTable.nameOf(null, logged.cause());
    String endpoint = after.endpointOf(logged.request());
    count(logged.atMicros(), logged.request(), endpoint, rule, outcome, rule, outcome);
  }

  private static String ruleOf(LoggedRequest logged) {
    return RuleTable.nameOf(logged.rule(), logged.cause());
  }

  private void count(
      long atMicros,
      Request request,
      String endpoint,
      String rule,
      Outcome now,
      @Nullable String ruleThen,
      @Nullable Outcome then) {
    totals.add(now, then);
    rules.add(rule, now, ruleThen, then);
    sumsOf(endpoint).add(now, then);
    timeline.add(atMicros, now, then);
    boolean isRefused = now != Outcome.ALLOWED;
    clients.add(
        request.client().id(), isRefused, then == null ? isRefused : then != Outcome.ALLOWED);
  }

  private Sums sumsOf(String endpoint) {
    Sums known = endpoints.get(endpoint);
    return known == null ? endpoints.computeIfAbsent(endpoint, name -> new Sums()) : known;
  }

  /**
   * What was found so far.
   *
   * @param log what the log had
   */
  public BacktestReport report(LogCounts log) {
    decideWaiting();
    return new BacktestReport(
        after.policy().version(),
        comparedWith(),
        firstMicros < 0 ? null : instant(firstMicros),
        lastMicros < 0 ? null : instant(lastMicros),
        totals.comparison(),
        rules.rows(),
        endpointRows(),
        clients.mostRefused(top),
        clients.mostHurt(top),
        timeline.timeline(),
        log,
        decidedByLists,
        warnings(log));
  }

  private Before comparedWith() {
    if (before != null) {
      return new Before.Policy(before.policy().version());
    }
    return recorded > 0 ? new Before.Log() : new Before.Nothing();
  }

  private List<EndpointRow> endpointRows() {
    List<EndpointRow> rows = new ArrayList<>();
    endpoints.forEach((name, sums) -> rows.add(new EndpointRow(name, sums.comparison())));
    rows.sort(
        Comparator.comparingLong((EndpointRow row) -> row.comparison().after().requests())
            .reversed()
            .thenComparing(EndpointRow::endpoint));
    return rows;
  }

  private List<String> warnings(LogCounts log) {
    List<String> warnings = new ArrayList<>();
    if (recordedByWeir > 0 && recordedAllowed == 0) {
      warnings.add(
          "the log has no allowed request, so limits see far less than in life; "
              + "add \"allowed\" to events.log or audit.decisions");
    }
    if (log.late() > 0) {
      warnings.add(
          "%d lines came too late to be sorted and count when they came; see --reorder"
              .formatted(log.late()));
    }
    return warnings;
  }

  private static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
