package dev.weir.spring.actuate;

import dev.weir.CounterStore;
import dev.weir.policy.DecisionHealth;
import dev.weir.policy.FailureMode;
import dev.weir.spring.RateLimits;
import dev.weir.spring.StoreState;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Whether requests are decided by their counters. Where these cannot be reached, requests are
 * decided all the same, by the failure mode; only if that refuses them all is the application down.
 */
final class RateLimitHealth extends AbstractHealthIndicator {
  private final RateLimits limits;
  private final CounterStore store;

  RateLimitHealth(RateLimits limits, CounterStore store) {
    this.limits = limits;
    this.store = store;
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    StoreState state = StoreState.of(store);
    FailureMode mode = limits.gate().policy().definition().failureMode();
    DecisionHealth.State health = limits.health().state(state.report());
    boolean isDown = health == DecisionHealth.State.FAILED && mode == FailureMode.CLOSED;
    builder
        .status(isDown ? "DOWN" : "UP")
        .withDetail("counters", state.name())
        .withDetail("reachable", state.isReachable())
        .withDetail("policy", limits.gate().policy().version());
    if (health != DecisionHealth.State.GOOD) {
      builder.withDetail("degraded", true);
      builder.withDetail("failureMode", mode.toString());
    }
    if (!state.complaints().isEmpty()) {
      builder.withDetail("complaints", state.complaints());
    }
    String problem = limits.problem();
    if (problem != null) {
      builder.withDetail("problem", problem);
    }
  }
}
