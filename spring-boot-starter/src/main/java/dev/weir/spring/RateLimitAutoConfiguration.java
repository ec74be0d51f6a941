package dev.weir.spring;

import dev.weir.CounterStore;
import dev.weir.MemoryCounterStore;
import dev.weir.TimeSource;
import dev.weir.policy.ApiKeys;
import dev.weir.policy.GateListener;
import dev.weir.policy.KnownClients;
import dev.weir.policy.Users;
import dev.weir.policy.config.Config;
import dev.weir.policy.config.CounterSettings;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/** The policy, its counters, and what decides by them. */
@AutoConfiguration(
    afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@EnableConfigurationProperties(RateLimitProperties.class)
public final class RateLimitAutoConfiguration {
  RateLimitAutoConfiguration() {}

  @Bean
  RateLimitSource rateLimitSource(RateLimitProperties properties, ResourceLoader resources) {
    return new RateLimitSource(properties, resources);
  }

  /** The clock of counters in this process; tests have one of their own. */
  @Bean
  @ConditionalOnMissingBean
  TimeSource rateLimitTime() {
    return TimeSource.system();
  }

  @Bean
  @ConditionalOnMissingBean
  CounterStore rateLimitCounters(
      RateLimitSource source,
      TimeSource time,
      RateLimitProperties properties,
      ListableBeanFactory beans) {
    Config config = source.first();
    if (config.counters().backend() == CounterSettings.Backend.MEMORY) {
      return new MemoryCounterStore(time, config.counters().maxKeys());
    }
    if (!ClassUtils.isPresent(
        "dev.weir.redis.RedisCounterStore", RateLimitAutoConfiguration.class.getClassLoader())) {
      throw new RateLimitConfigurationException(
          List.of(
              "ratelimit.counters.backend must be memory as long as dev.weir:weir-redis is no"
                  + " dependency of the application, got redis"));
    }
    boolean namesOne = properties.redis() != null && properties.redis().url() != null;
    return RedisCounters.open(
        config.redis(), namesOne || properties.config() != null ? null : beans);
  }

  @Bean
  @ConditionalOnMissingBean
  RateLimits rateLimits(
      RateLimitSource source,
      CounterStore store,
      ObjectProvider<ApiKeys> keys,
      ObjectProvider<Users> users,
      ObjectProvider<GateListener> listeners,
      ApplicationEventPublisher events,
      TimeSource time) {
    return new RateLimits(
        source,
        store,
        new KnownClients(keys.getIfAvailable(ApiKeys::none), users.getIfAvailable(Users::none)),
        Stream.concat(Stream.of(refusals(events)), listeners.orderedStream()).toList(),
        time);
  }

  private static GateListener refusals(ApplicationEventPublisher events) {
    return (verdict, latencyNanos) -> {
      if (!verdict.isAllowed()) {
        events.publishEvent(new RateLimitRefusedEvent(events, verdict));
      }
    };
  }
}
