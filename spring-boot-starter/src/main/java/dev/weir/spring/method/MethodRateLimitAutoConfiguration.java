package dev.weir.spring.method;

import dev.weir.spring.RateLimitAutoConfiguration;
import dev.weir.spring.RateLimits;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;

/** Limits calls of methods with {@link dev.weir.spring.RateLimit}. */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnClass(AbstractBeanFactoryAwareAdvisingPostProcessor.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "ratelimit.annotations.enabled", matchIfMissing = true)
public final class MethodRateLimitAutoConfiguration {
  MethodRateLimitAutoConfiguration() {}

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static LimitedMethods rateLimitedMethods() {
    return new LimitedMethods();
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static RateLimitPostProcessor rateLimitPostProcessor(
      ObjectProvider<RateLimits> limits, LimitedMethods methods) {
    return new RateLimitPostProcessor(limits::getObject, methods);
  }

  /** A rule that is not there should be missed at the start and not by the first call. */
  @Bean
  SmartInitializingSingleton rateLimitRulesCheck(RateLimits limits, LimitedMethods methods) {
    return () -> methods.requireRules(limits.gate().policy());
  }
}
