package dev.weir.spring.method;

import dev.weir.Limit;
import dev.weir.policy.NamedLimits;
import dev.weir.policy.Policy;
import dev.weir.policy.Scope;
import dev.weir.spring.RateLimit;
import dev.weir.spring.RateLimitConfigurationException;
import dev.weir.spring.RateLimitExceededException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** A method with a {@link RateLimit}, made ready once for many calls. */
public final class LimitedMethod {
  private final String name;
  private final RateLimit annotation;
  private final @Nullable Arguments key;
  private final @Nullable Arguments cost;
  private final long fixedCost;
  private final @Nullable Method fallback;

  /** Of those limits that it brings itself: by client, and for everybody together. */
  private final @Nullable NamedLimits byClient;

  private final @Nullable NamedLimits forAll;

  /**
   * Makes a method ready.
   *
   * @throws RateLimitConfigurationException with all mistakes of the annotation
   */
  LimitedMethod(Method method, Class<?> type, RateLimit annotation) {
    String where = ClassUtils.getShortName(type) + "." + method.getName();
    List<String> mistakes = new ArrayList<>();
    this.name = annotation.name().isEmpty() ? where : annotation.name();
    this.annotation = annotation;
    List<Limit> limits = limits(annotation, where, mistakes);
    this.byClient = limits.isEmpty() ? null : named(limits, Scope.CLIENT);
    this.forAll = limits.isEmpty() ? null : named(limits, Scope.GLOBAL);
    this.key = arguments(annotation.key(), "key", where, method, mistakes);
    Long number = numberOrNull(annotation.cost());
    this.fixedCost = number == null ? 1 : number;
    this.cost =
        number == null ? arguments(annotation.cost(), "cost", where, method, mistakes) : null;
    if (fixedCost < 0) {
      mistakes.add(said(where, "cost", "must be at least 0, got " + fixedCost));
    }
    this.fallback = fallback(annotation.fallback(), method, type, where, mistakes);
    if (!mistakes.isEmpty()) {
      throw new RateLimitConfigurationException(mistakes);
    }
  }

  private NamedLimits named(List<Limit> limits, Scope scope) {
    return NamedLimits.of("method:" + name, limits, scope);
  }

  private static List<Limit> limits(RateLimit annotation, String where, List<String> mistakes) {
    boolean hasRule = !annotation.rule().isEmpty();
    if (hasRule == annotation.value().length > 0) {
      mistakes.add(said(where, "value", "must be given, or else rule, and not both"));
    }
    List<Limit> limits = new ArrayList<>();
    for (String text : annotation.value()) {
      try {
        limits.add(Limit.parse(text));
      } catch (IllegalArgumentException wrong) {
        mistakes.add(said(where, "value", String.valueOf(wrong.getMessage())));
      }
    }
    return limits;
  }

  private static @Nullable Arguments arguments(
      String text, String part, String where, Method method, List<String> mistakes) {
    try {
      return text.isEmpty() ? null : new Arguments(text, at(where, part), method);
    } catch (RateLimitConfigurationException wrong) {
      mistakes.addAll(wrong.mistakes());
      return null;
    }
  }

  private static @Nullable Long numberOrNull(String text) {
    return text.matches("-?[0-9]{1,18}") ? Long.valueOf(text) : null;
  }

  private static @Nullable Method fallback(
      String name, Method method, Class<?> type, String where, List<String> mistakes) {
    if (name.isEmpty()) {
      return null;
    }
    Class<?>[] plain = method.getParameterTypes();
    Class<?>[] more = Arrays.copyOf(plain, plain.length + 1);
    more[plain.length] = RateLimitExceededException.class;
    Method found = ReflectionUtils.findMethod(type, name, more);
    found = found == null ? ReflectionUtils.findMethod(type, name, plain) : found;
    if (found == null || !method.getReturnType().isAssignableFrom(found.getReturnType())) {
      mistakes.add(
          said(
              where,
              "fallback",
              "must be a method of %s with the parameters of %s and what that returns, got \"%s\""
                  .formatted(ClassUtils.getShortName(type), method.getName(), name)));
      return null;
    }
    ReflectionUtils.makeAccessible(found);
    return found;
  }

  private static String at(String where, String part) {
    return "@RateLimit on %s: %s".formatted(where, part);
  }

  private static String said(String where, String part, String problem) {
    return at(where, part) + " " + problem;
  }

  /** What its counters are called. */
  public String name() {
    return name;
  }

  /** What stands on it. */
  public RateLimit annotation() {
    return annotation;
  }

  /**
   * The limits that hold now.
   *
   * @param isClientKnown whether there is somebody to count by
   * @throws IllegalStateException if the policy has no such rule
   */
  NamedLimits limits(Policy policy, boolean isClientKnown) {
    NamedLimits own = isClientKnown ? byClient : forAll;
    NamedLimits found = own == null ? policy.named(annotation.rule()) : own;
    if (found != null && !isClientKnown) {
      return found.forAll();
    }
    if (found == null) {
      throw new IllegalStateException(
          said(name, "rule", "must be the name of a rule or of an endpoint with limits, got \"")
              + annotation.rule()
              + "\"");
    }
    return found;
  }

  /** The limits that it brings itself, by client; null if it names a rule. */
  public @Nullable NamedLimits ownLimits() {
    return byClient;
  }

  /** Whether its limits are those of a rule of the policy. */
  boolean isByRule() {
    return byClient == null;
  }

  /** Who is counted; null if that is left to the request. */
  @Nullable String key(@Nullable Object[] arguments) {
    if (key == null) {
      return null;
    }
    Object value = key.of(arguments);
    if (value == null) {
      throw new IllegalArgumentException(said(name, "key", "must be somebody, got null"));
    }
    return value.toString();
  }

  /** What a call consumes. */
  long cost(@Nullable Object[] arguments) {
    Object value = cost == null ? fixedCost : cost.of(arguments);
    if (!(value instanceof Number number) || number.longValue() < 0) {
      throw new IllegalArgumentException(
          said(name, "cost", "must be a number of at least 0, got " + value));
    }
    return number.longValue();
  }

  /** Calls what is to be called in place of the method. */
  @Nullable Object fallBack(
      @Nullable Object target, @Nullable Object[] arguments, RateLimitExceededException refusal)
      throws Throwable {
    Method called = fallback;
    if (called == null) {
      throw refusal;
    }
    @Nullable Object[] all = arguments;
    if (called.getParameterCount() > arguments.length) {
      all = Arrays.copyOf(arguments, arguments.length + 1);
      all[arguments.length] = refusal;
    }
    try {
      return called.invoke(target, all);
    } catch (InvocationTargetException thrown) {
      throw thrown.getTargetException();
    }
  }
}
