package dev.weir.spring.actuate;

import dev.weir.CounterStore;
import dev.weir.spring.RateLimitAutoConfiguration;
import dev.weir.spring.RateLimits;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Metrics for Micrometer. */
@AutoConfiguration(
    after = RateLimitAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
public final class MetricsRateLimitAutoConfiguration {
  MetricsRateLimitAutoConfiguration() {}

  @Bean
  RateLimitMetrics rateLimitMetrics(
      MeterRegistry registry, ObjectProvider<RateLimits> limits, CounterStore store) {
    return new RateLimitMetrics(registry, limits::getObject, store);
  }
}
