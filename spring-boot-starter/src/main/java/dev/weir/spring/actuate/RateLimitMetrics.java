package dev.weir.spring.actuate;

import dev.weir.CounterStore;
import dev.weir.policy.GateListener;
import dev.weir.policy.Outcome;
import dev.weir.policy.Request;
import dev.weir.policy.Tier;
import dev.weir.policy.Verdict;
import dev.weir.spring.RateLimits;
import dev.weir.spring.StoreState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Metrics under the names that the service has for them. No value of a client is ever a tag: a tier
 * that a token names is one only if the policy has it.
 */
final class RateLimitMetrics implements GateListener {
  private static final String PREFIX = "weir.rate.limit.";
  private static final String OTHER = "other";

  /** So long that no outage stays unseen, however short it is, if scrapes are a minute apart. */
  private static final long DEGRADED_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final MeterRegistry registry;
  private final Supplier<RateLimits> limits;
  private final Map<Decided, Counter> requests = new ConcurrentHashMap<>();
  private final Map<Throttled, Counter> throttled = new ConcurrentHashMap<>();
  private final Timer durations;
  private final Counter backendErrors;
  private final Counter degradedRequests;
  private volatile long lastDegraded = System.nanoTime() - DEGRADED_NANOS;

  private record Decided(Outcome outcome, String endpoint, String tier) {}

  private record Throttled(String endpoint, String tier, String rule) {}

  RateLimitMetrics(MeterRegistry registry, Supplier<RateLimits> limits, CounterStore store) {
    this.registry = registry;
    this.limits = limits;
    this.durations =
        Timer.builder(PREFIX + "check.duration")
            .description("Time to decide a request, counters included.")
            .publishPercentileHistogram()
            .register(registry);
    this.backendErrors =
        counter("backend.errors", "Requests for which the counters could not be reached.");
    this.degradedRequests =
        counter(
            "degraded.requests",
            "Requests that were decided without the counters that they belong to.");
    Gauge.builder(PREFIX + "degraded", this, metrics -> metrics.isDegraded(store) ? 1 : 0)
        .description("1 while requests are decided without their counters, and for a minute after.")
        .register(registry);
    Gauge.builder(PREFIX + "active.keys", store, of -> StoreState.of(of).activeKeys())
        .description("Keys that have a counter in the memory of this instance.")
        .register(registry);
    reading(
        "overflowed",
        "Decisions by the counter that new keys share when there is no room for their own.",
        store,
        StoreState::overflowed);
    reading(
        "cache.hits",
        "Refusals that were remembered and given without asking Redis.",
        store,
        StoreState::recalledRefusals);
    reading(
        "cache.misses",
        "Decisions that Redis was asked for, as no refusal was remembered.",
        store,
        StoreState::askedDecisions);
  }

  private Counter counter(String name, String help) {
    return Counter.builder(PREFIX + name).description(help).register(registry);
  }

  private void reading(
      String name, String help, CounterStore store, ToLongFunction<StoreState> value) {
    FunctionCounter.builder(PREFIX + name, store, of -> value.applyAsLong(StoreState.of(of)))
        .description(help)
        .register(registry);
  }

  private boolean isDegraded(CounterStore store) {
    return System.nanoTime() - lastDegraded < DEGRADED_NANOS || !StoreState.of(store).isReachable();
  }

  @Override
  public void decided(Verdict verdict, long latencyNanos) {
    durations.record(latencyNanos, TimeUnit.NANOSECONDS);
    Outcome outcome = verdict.outcome();
    String tier = tierTag(verdict.tier());
    requests
        .computeIfAbsent(new Decided(outcome, verdict.endpoint(), tier), this::registered)
        .increment();
    String rule = outcome == Outcome.THROTTLED ? verdict.rule() : null;
    if (rule != null) {
      throttled
          .computeIfAbsent(new Throttled(verdict.endpoint(), tier, rule), this::registered)
          .increment();
    }
    if (verdict.isDegraded()) {
      degradedRequests.increment();
      lastDegraded = System.nanoTime();
    }
  }

  private Counter registered(Decided decided) {
    return Counter.builder(PREFIX + "requests")
        .description("Requests by what was decided.")
        .tag("decision", decided.outcome.toString())
        .tag("endpoint", decided.endpoint)
        .tag("tier", decided.tier)
        .register(registry);
  }

  private Counter registered(Throttled refused) {
    return Counter.builder(PREFIX + "throttled")
        .description("Requests that were throttled, by the rule that did it.")
        .tag("endpoint", refused.endpoint)
        .tag("tier", refused.tier)
        .tag("rule", refused.rule)
        .register(registry);
  }

  private String tierTag(@Nullable String tier) {
    if (tier == null) {
      return "";
    }
    for (Tier known : limits.get().gate().policy().definition().tiers()) {
      if (known.name().equals(tier)) {
        return tier;
      }
    }
    return OTHER;
  }

  @Override
  public void failed(Request request, Throwable failure) {
    backendErrors.increment();
  }
}
