package dev.weir.policy;

import dev.weir.Decision;
import dev.weir.LimitStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Gate} says about a request, and why. Immutable.
 *
 * <p>When limits had a say, {@link #decisive} is the one that refused, or, of an allowed request,
 * the one closest to exhaustion.
 */
public final class Verdict {
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int FORBIDDEN = 403;
  private static final int SERVICE_UNAVAILABLE = 503;
  private static final Step[] NO_STEPS = {};

  private final Request request;
  private final String policy;
  private final String endpoint;
  private final @Nullable String tier;
  private final Outcome outcome;
  private final Cause cause;
  private final boolean isDegraded;
  private final Step[] steps;
  private final @Nullable Decision decision;
  private final @Nullable ListedClient block;
  private final List<Shadow> shadows;

  /**
   * What a rule in shadow mode would have done.
   *
   * @param rule the rule's name
   * @param refuses whether it would have refused the request
   */
  public record Shadow(String rule, boolean refuses) {}

  /**
   * How one limit stands.
   *
   * @param rule what the limit comes from
   * @param status the limit and what is left of it
   * @param bookmark of that limit of the rule, for as long as the policy holds
   */
  public record Standing(String rule, LimitStatus status, Bookmark bookmark) {}

  private Verdict(
      Request request,
      String policy,
      String endpoint,
      @Nullable String tier,
      Outcome outcome,
      Cause cause,
      boolean isDegraded,
      Step[] steps,
      @Nullable Decision decision,
      @Nullable ListedClient block,
      List<Shadow> shadows) {
    this.request = request;
    this.policy = policy;
    this.endpoint = endpoint;
    this.tier = tier;
    this.outcome = outcome;
    this.cause = cause;
    this.isDegraded = isDegraded;
    this.steps = steps;
    this.decision = decision;
    this.block = block;
    this.shadows = shadows;
  }

  static Verdict withoutLimits(
      Request request, Policy policy, Match where, Outcome outcome, Cause cause) {
    return new Verdict(
        request,
        policy.version(),
        where.endpoint,
        where.tier,
        outcome,
        cause,
        false,
        NO_STEPS,
        null,
        null,
        List.of());
  }

  static Verdict byRule(
      Request request, Policy policy, Match where, Step step, List<Shadow> shadows) {
    boolean blocks = step.action == Action.BLOCK;
    return new Verdict(
        request,
        policy.version(),
        where.endpoint,
        where.tier,
        blocks ? Outcome.BLOCKED : Outcome.ALLOWED,
        blocks ? Cause.BLOCKED_BY_RULE : Cause.ALLOWED_BY_RULE,
        false,
        step.alone,
        null,
        null,
        shadows);
  }

  static Verdict blocked(Request request, Policy policy, Match where, ListedClient block) {
    return new Verdict(
        request,
        policy.version(),
        where.endpoint,
        where.tier,
        Outcome.BLOCKED,
        Cause.BLOCKED_CLIENT,
        false,
        NO_STEPS,
        null,
        block,
        List.of());
  }

  static Verdict decided(
      Request request,
      Policy policy,
      Match where,
      Decision decision,
      boolean isDegraded,
      List<Shadow> shadows) {
    return new Verdict(
        request,
        policy.version(),
        where.endpoint,
        where.tier,
        decision.allowed() ? Outcome.ALLOWED : Outcome.THROTTLED,
        Cause.of(decision.reason()),
        isDegraded,
        where.enforcedSteps(),
        decision,
        null,
        shadows);
  }

  /** The counters could not be reached, and that is why it passes or does not. */
  static Verdict unreachable(Request request, Policy policy, Match where, Outcome outcome) {
    return new Verdict(
        request,
        policy.version(),
        where.endpoint,
        where.tier,
        outcome,
        Cause.BACKEND_ERROR,
        true,
        where.enforcedSteps(),
        null,
        null,
        List.of());
  }

  Verdict withShadows(List<Shadow> shadows) {
    return new Verdict(
        request,
        policy,
        endpoint,
        tier,
        outcome,
        cause,
        isDegraded,
        steps,
        decision,
        block,
        shadows);
  }

  /** Whether the request may pass. */
  public boolean isAllowed() {
    return outcome == Outcome.ALLOWED;
  }

  /** What was asked. */
  public Request request() {
    return request;
  }

  /** The version of the policy that was used. */
  public String policy() {
    return policy;
  }

  /** The endpoint that the path belongs to. */
  public String endpoint() {
    return endpoint;
  }

  /** The tier that the client has under the policy; null if it has none. */
  public @Nullable String tier() {
    return tier;
  }

  /** What becomes of the request. */
  public Outcome outcome() {
    return outcome;
  }

  /** Why. */
  public Cause cause() {
    return cause;
  }

  /** Whether it was made without the counters that it should have been made with. */
  public boolean isDegraded() {
    return isDegraded;
  }

  /** What rules in shadow mode would have done. */
  public List<Shadow> shadows() {
    return shadows;
  }

  /** The rules in shadow mode that would have refused it. */
  public List<String> refusingShadows() {
    return shadows.isEmpty()
        ? List.of()
        : shadows.stream().filter(Shadow::refuses).map(Shadow::rule).toList();
  }

  /** The rule that decided; null if none had a say. */
  public @Nullable String rule() {
    Step step = decisiveStep();
    return step == null ? null : step.name;
  }

  /** How many rules had a say, besides those in shadow mode. */
  public int ruleCount() {
    return steps.length;
  }

  /** One of the rules that had a say, by its number from 0 on. */
  public String ruleAt(int index) {
    return steps[index].name;
  }

  /** Whether it was refused because the user's monthly quota is used up. */
  public boolean isOverQuota() {
    Step step = isAllowed() ? null : decisiveStep();
    return step != null && step.level == Step.Level.QUOTA && cause == Cause.LIMIT_EXCEEDED;
  }

  /** How the decisive limit stands; null if no limit had a say. */
  public @Nullable LimitStatus decisive() {
    return decision == null ? null : decision.status();
  }

  /** How all limits stand that had a say. */
  public List<Standing> standings() {
    if (decision == null) {
      return List.of();
    }
    List<LimitStatus> limits = decision.limits();
    if (limits.size() == 1) {
      Step step = stepOf(0);
      return List.of(new Standing(step.name, limits.get(0), step.bookmarks[0]));
    }
    List<Standing> standings = new ArrayList<>(limits.size());
    for (Step step : steps) {
      for (Bookmark bookmark : step.bookmarks) {
        standings.add(new Standing(step.name, limits.get(standings.size()), bookmark));
      }
    }
    return List.copyOf(standings);
  }

  /** When it was decided, in microseconds since the epoch; 0 if no limit had a say. */
  public long atMicros() {
    return decision == null ? 0 : decision.atMicros();
  }

  /**
   * After how many whole seconds the client may come back; 0 if it passed, or if waiting does not
   * help. At least 1 otherwise: as the rule says, or as the limits do, rounded up.
   */
  public long retryAfterSeconds() {
    if (isAllowed() || cause == Cause.COST_EXCEEDS_LIMIT) {
      return 0;
    }
    Step step = decisiveStep();
    if (step != null && step.refusal.retryAfter() != null) {
      return -Math.floorDiv(-step.refusal.retryAfter().toMillis(), 1_000L);
    }
    if (decision == null) {
      // Counters that cannot be reached may be back in a moment; a block is not over by waiting.
      return cause == Cause.BACKEND_ERROR ? 1 : 0;
    }
    return -Math.floorDiv(-decision.retryAfterMicros(), 1_000_000L);
  }

  /** The HTTP status of a refusal. */
  public int status() {
    Step step = decisiveStep();
    if (step != null && step.refusal.status() != null) {
      return step.refusal.status();
    }
    if (cause == Cause.BACKEND_ERROR) {
      return SERVICE_UNAVAILABLE;
    }
    return outcome == Outcome.BLOCKED ? FORBIDDEN : TOO_MANY_REQUESTS;
  }

  /** What the client is told on a refusal. */
  public String message() {
    Step step = decisiveStep();
    if (step != null && step.refusal.message() != null) {
      return step.refusal.message();
    }
    return switch (cause) {
      case LIMIT_EXCEEDED -> "rate limit exceeded, retry in " + retryAfterSeconds() + " s";
      case PENALTY -> "too many violations, retry in " + retryAfterSeconds() + " s";
      case COST_EXCEEDS_LIMIT -> "the request costs more than its limit ever allows";
      case BLOCKED_CLIENT, BLOCKED_BY_RULE -> "blocked";
      case MISSING_CLIENT -> "the client could not be told";
      case BACKEND_ERROR -> "the rate limiter is not available";
      default -> "allowed";
    };
  }

  /** Why the client is blocked; null unless it is. */
  public @Nullable ListedClient block() {
    return block;
  }

  private @Nullable Step decisiveStep() {
    if (decision != null) {
      return stepOf(decision.decisive());
    }
    return steps.length == 0 ? null : steps[0];
  }

  private Step stepOf(int limit) {
    int left = limit;
    for (Step step : steps) {
      if (left < step.limits.size()) {
        return step;
      }
      left -= step.limits.size();
    }
    throw new IllegalStateException("there is no limit " + limit);
  }

  @Override
  public String toString() {
    String rule = rule();
    return outcome
        + " "
        + request.client()
        + " ("
        + cause
        + (rule == null ? ")" : ", " + rule + ")");
  }
}
