package dev.weir.spring.method;

import dev.weir.spring.RateLimit;
import dev.weir.spring.RateLimits;
import java.util.function.Supplier;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.core.Ordered;

/** Puts the interceptor around beans with limited methods. */
final class RateLimitPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {
  private static final long serialVersionUID = 1;

  private final transient LimitedMethods methods;

  RateLimitPostProcessor(Supplier<RateLimits> limits, LimitedMethods methods) {
    this.methods = methods;
    setProxyTargetClass(true);
    // Outside of transactions and retries: what is refused should cost nothing.
    setBeforeExistingAdvisors(true);
    setOrder(Ordered.LOWEST_PRECEDENCE);
    ComposablePointcut pointcut =
        new ComposablePointcut(new AnnotationMatchingPointcut(RateLimit.class, true))
            .union(new AnnotationMatchingPointcut(null, RateLimit.class, true));
    this.advisor = new DefaultPointcutAdvisor(pointcut, new RateLimitInterceptor(limits, methods));
  }

  @Override
  protected boolean isEligible(Object bean, String beanName) {
    boolean isLimited = super.isEligible(bean, beanName);
    if (isLimited) {
      methods.find(AopUtils.getTargetClass(bean));
    }
    return isLimited;
  }
}
