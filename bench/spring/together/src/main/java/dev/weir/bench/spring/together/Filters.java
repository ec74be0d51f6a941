package dev.weir.bench.spring.together;

import dev.weir.spring.RateLimits;
import dev.weir.spring.servlet.RateLimitFilter;
import jakarta.servlet.Filter;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/**
 * Each filter has the paths below its name; those below {@code /bare} have none. The starter's own
 * registration, for all paths, has to be off.
 */
@Configuration(proxyBeanMethods = false)
class Filters {

  @Bean
  FilterRegistrationBean<Filter> fields() {
    return below("/fields/*", new FieldsFilter());
  }

  @Bean
  FilterRegistrationBean<Filter> weir(RateLimits limits) {
    return below("/weir/*", new RateLimitFilter(limits, false));
  }

  @Bean
  FilterRegistrationBean<Filter> resilience4j() {
    return below("/resilience4j/*", new RateLimiterFilter());
  }

  private static FilterRegistrationBean<Filter> below(String paths, Filter filter) {
    FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(filter);
    registration.addUrlPatterns(paths);
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 100);
    return registration;
  }
}
