package dev.weir.backtest;

import dev.weir.backtest.suggest.Suggestions;
import dev.weir.policy.JsonText;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a backtest found. Immutable.
 *
 * @param policy the version of the policy that was tried
 * @param before what it was compared with
 * @param from the time of the first request; null if there was none
 * @param to the time of the last request; null if there was none
 * @param totals of all requests
 * @param rules of each rule, those that refuse most first
 * @param endpoints of each endpoint, those with the most requests first
 * @param refused the clients that are refused most often
 * @param hurt the clients that are newly refused most often
 * @param timeline how it went
 * @param log what was found in the log
 * @param decidedByLists how many requests were blocked or exempt in life by lists beside the
 *     policy; they keep that outcome and count against no limit
 * @param warnings what one should know to read the rest
 */
public record BacktestReport(
    String policy,
    Before before,
    @Nullable Instant from,
    @Nullable Instant to,
    Comparison totals,
    List<RuleRow> rules,
    List<EndpointRow> endpoints,
    List<ClientRow> refused,
    List<ClientRow> hurt,
    Timeline timeline,
    LogCounts log,
    long decidedByLists,
    List<String> warnings) {

  public BacktestReport {
    rules = List.copyOf(rules);
    endpoints = List.copyOf(endpoints);
    refused = List.copyOf(refused);
    hurt = List.copyOf(hurt);
    warnings = List.copyOf(warnings);
  }

  /** What a policy is compared with. */
  public sealed interface Before {

    /** Nothing: the log does not say what became of its requests. */
    record Nothing() implements Before {}

    /** What the log says. */
    record Log() implements Before {}

    /**
     * Another policy.
     *
     * @param policy its version
     */
    record Policy(String policy) implements Before {}
  }

  /**
   * The requests that a rule decided.
   *
   * @param rule its name; in parentheses the reason why no rule had a say
   * @param comparison after: of requests that it decides now; before: of those that it decided then
   * @param shadowRefused how many a rule in shadow mode would refuse
   */
  public record RuleRow(String rule, Comparison comparison, long shadowRefused) {}

  /**
   * The requests to an endpoint.
   *
   * @param endpoint its name under the policy that is tried
   */
  public record EndpointRow(String endpoint, Comparison comparison) {}

  /**
   * The requests of a client. All counts are the least that there were; with very many clients some
   * of a client's requests may have been forgotten.
   *
   * @param client its id
   * @param requests how many it made
   * @param refused how many of them are refused
   * @param newlyRefused how many of these passed before
   * @param noLongerRefused how many were refused before and pass now
   * @param mayMiss at most so many more refusals there may have been
   */
  public record ClientRow(
      String client,
      long requests,
      long refused,
      long newlyRefused,
      long noLongerRefused,
      long mayMiss) {}

  /**
   * The time cut into equal steps.
   *
   * @param stepMicros how long a step is
   * @param steps in their order, with none left out; at most {@link #MOST_STEPS}
   */
  public record Timeline(long stepMicros, List<Step> steps) {
    /** How many steps there are at most. */
    public static final int MOST_STEPS = 120;

    public Timeline {
      steps = List.copyOf(steps);
    }
  }

  /**
   * A step of the time.
   *
   * @param atMicros when it begins, in microseconds since the epoch
   */
  public record Step(long atMicros, Comparison comparison) {}

  /** Whether there is anything that the policy was compared with. */
  public boolean isCompared() {
    return !(before instanceof Before.Nothing);
  }

  /** As one object of JSON. */
  public String toJson() {
    return ReportJson.of(this).toString();
  }

  /** As one object of JSON, with suggestions. */
  public String toJson(Suggestions suggestions) {
    JsonText json = ReportJson.of(this);
    suggestions.putInto(json);
    return json.toString();
  }
}
