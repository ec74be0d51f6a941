package dev.weir.spring.actuate;

import dev.weir.CounterStore;
import dev.weir.spring.RateLimitAutoConfiguration;
import dev.weir.spring.RateLimits;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health of rate limiting, as {@code ratelimit}. */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
@ConditionalOnEnabledHealthIndicator("ratelimit")
public final class HealthRateLimitAutoConfiguration {
  HealthRateLimitAutoConfiguration() {}

  @Bean
  RateLimitHealth ratelimitHealthIndicator(RateLimits limits, CounterStore store) {
    return new RateLimitHealth(limits, store);
  }
}
