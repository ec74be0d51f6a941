package dev.weir.spring.reactive;

import dev.weir.spring.RateLimitAutoConfiguration;
import dev.weir.spring.RateLimitProperties;
import dev.weir.spring.RateLimits;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.server.WebFilter;

/** Limits the requests of a WebFlux application. */
@AutoConfiguration(
    after = RateLimitAutoConfiguration.class,
    afterName =
        "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(WebFilter.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class ReactiveRateLimitAutoConfiguration {
  /** The name of the bean that is Spring Security's filter. */
  private static final String SECURITY =
      "org.springframework.security.config.annotation.web.reactive.WebFluxSecurityConfiguration.WebFilterChainFilter";

  ReactiveRateLimitAutoConfiguration() {}

  @Bean
  @ConditionalOnBooleanProperty(name = "ratelimit.filter.enabled", matchIfMissing = true)
  RateLimitWebFilter rateLimitWebFilter(
      RateLimits limits, RateLimitProperties properties, ListableBeanFactory beans) {
    boolean isAuthenticatedLater =
        beans.containsBean(SECURITY)
            && properties.filter().order() < properties.filter().authenticatedOrder();
    return new RateLimitWebFilter(limits, isAuthenticatedLater, properties.filter().order());
  }

  @Bean
  @ConditionalOnBean(name = SECURITY)
  @ConditionalOnBooleanProperty(name = "ratelimit.filter.enabled", matchIfMissing = true)
  WebFilter rateLimitWebFilterAfterAuthentication(
      RateLimitWebFilter first, RateLimitProperties properties) {
    return first.afterAuthentication(properties.filter().authenticatedOrder());
  }

  @Bean
  RefusedCalls rateLimitRefusedCalls(RateLimits limits) {
    return new RefusedCalls(limits);
  }
}
