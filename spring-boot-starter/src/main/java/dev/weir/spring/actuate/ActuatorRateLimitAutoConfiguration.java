package dev.weir.spring.actuate;

import dev.weir.spring.RateLimitAutoConfiguration;
import dev.weir.spring.RateLimits;
import dev.weir.spring.method.LimitedMethods;
import dev.weir.spring.method.MethodRateLimitAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The endpoint {@code ratelimit} of the actuator. */
@AutoConfiguration(
    after = {RateLimitAutoConfiguration.class, MethodRateLimitAutoConfiguration.class})
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(endpoint = RateLimitEndpoint.class)
public final class ActuatorRateLimitAutoConfiguration {
  ActuatorRateLimitAutoConfiguration() {}

  @Bean
  RateLimitEndpoint rateLimitEndpoint(RateLimits limits, ObjectProvider<LimitedMethods> methods) {
    return new RateLimitEndpoint(limits, methods.getIfAvailable());
  }
}
