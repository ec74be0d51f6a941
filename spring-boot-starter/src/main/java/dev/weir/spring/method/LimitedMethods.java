package dev.weir.spring.method;

import dev.weir.policy.Policy;
import dev.weir.spring.RateLimit;
import dev.weir.spring.RateLimitConfigurationException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** All methods of the application that are limited. Thread-safe. */
public final class LimitedMethods {
  private final Map<Object, LimitedMethod> methods = new ConcurrentHashMap<>();

  /**
   * Finds the limited methods of a class.
   *
   * @throws RateLimitConfigurationException with all mistakes of their annotations
   */
  void find(Class<?> type) {
    List<String> mistakes = new ArrayList<>();
    Map<Method, RateLimit> found =
        MethodIntrospector.selectMethods(type, (Method method) -> annotation(method, type));
    found.forEach(
        (method, annotation) -> {
          try {
            methods.put(
                new MethodClassKey(method, type), new LimitedMethod(method, type, annotation));
          } catch (RateLimitConfigurationException wrong) {
            mistakes.addAll(wrong.mistakes());
          }
        });
    if (!mistakes.isEmpty()) {
      throw new RateLimitConfigurationException(mistakes);
    }
  }

  /** What stands on the method, else on its class. */
  private static @Nullable RateLimit annotation(Method method, Class<?> type) {
    RateLimit own = AnnotatedElementUtils.findMergedAnnotation(method, RateLimit.class);
    boolean isOfApplication = method.getDeclaringClass() != Object.class;
    return own == null && isOfApplication
        ? AnnotatedElementUtils.findMergedAnnotation(type, RateLimit.class)
        : own;
  }

  /** The method, made ready; null if it is not limited. */
  @Nullable LimitedMethod of(Method method, Class<?> type) {
    return methods.get(new MethodClassKey(method, type));
  }

  /** All of them, by name. */
  public Collection<LimitedMethod> all() {
    return methods.values().stream().sorted(Comparator.comparing(LimitedMethod::name)).toList();
  }

  /**
   * Holds the names of rules against a policy.
   *
   * @throws RateLimitConfigurationException with all that it has not
   */
  void requireRules(Policy policy) {
    List<String> mistakes = new ArrayList<>();
    for (LimitedMethod method : all()) {
      try {
        method.limits(policy, true);
      } catch (IllegalStateException missing) {
        mistakes.add(String.valueOf(missing.getMessage()));
      }
    }
    if (!mistakes.isEmpty()) {
      throw new RateLimitConfigurationException(mistakes);
    }
  }
}
