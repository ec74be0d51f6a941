package dev.weir.spring.servlet;

import dev.weir.spring.RateLimitAutoConfiguration;
import dev.weir.spring.RateLimitProperties;
import dev.weir.spring.RateLimits;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.Objects;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;

/** Limits the requests of a servlet application. */
@AutoConfiguration(
    after = RateLimitAutoConfiguration.class,
    afterName =
        "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Filter.class, FilterRegistrationBean.class})
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class ServletRateLimitAutoConfiguration {
  /** The name of the bean that is Spring Security's filter. */
  private static final String SECURITY = "springSecurityFilterChain";

  ServletRateLimitAutoConfiguration() {}

  @Bean
  @ConditionalOnBooleanProperty(name = "ratelimit.filter.enabled", matchIfMissing = true)
  FilterRegistrationBean<RateLimitFilter> rateLimitFilter(
      RateLimits limits, RateLimitProperties properties, ListableBeanFactory beans) {
    boolean isAuthenticatedLater =
        beans.containsBean(SECURITY)
            && properties.filter().order() < properties.filter().authenticatedOrder();
    return registered(
        new RateLimitFilter(limits, isAuthenticatedLater), properties.filter().order());
  }

  @Bean
  @ConditionalOnBean(name = SECURITY)
  @ConditionalOnBooleanProperty(name = "ratelimit.filter.enabled", matchIfMissing = true)
  FilterRegistrationBean<Filter> rateLimitFilterAfterAuthentication(
      FilterRegistrationBean<RateLimitFilter> first, RateLimitProperties properties) {
    RateLimitFilter filter = Objects.requireNonNull(first.getFilter());
    return registered(filter.afterAuthentication(), properties.filter().authenticatedOrder());
  }

  @Bean
  @ConditionalOnClass(name = "org.springframework.web.servlet.HandlerExceptionResolver")
  RefusedCalls rateLimitRefusedCalls(RateLimits limits) {
    return new RefusedCalls(limits);
  }

  private static <T extends Filter> FilterRegistrationBean<T> registered(T filter, int order) {
    FilterRegistrationBean<T> registration = new FilterRegistrationBean<>(filter);
    registration.setOrder(order);
    registration.setDispatcherTypes(DispatcherType.REQUEST);
    registration.setAsyncSupported(true);
    return registration;
  }
}
