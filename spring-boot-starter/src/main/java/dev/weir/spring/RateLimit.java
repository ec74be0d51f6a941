package dev.weir.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits how often a method of a bean may be called, or all methods of a class. What is on a method
 * holds in place of what is on its class.
 *
 * <pre>{@code
 * @RateLimit("10/m")
 * String report() { … }
 *
 * @RateLimit(value = {"2/s", "100/h"}, key = "#order.customerId", cost = "#order.lines")
 * void place(Order order) { … }
 *
 * @RateLimit(rule = "chat", fallback = "busy")
 * Answer chat(Question question) { … }
 * }</pre>
 *
 * <p>A call that is refused throws {@link RateLimitExceededException}, which is answered over HTTP
 * as refusals are. Methods that return a {@code Mono}, a {@code Flux} or a {@code CompletionStage}
 * give it by what they return, and wait for no counter.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface RateLimit {

  /** Limits such as {@code 10/m} or {@code 100/h sliding_window}, applied all or none. */
  String[] value() default {};

  /**
   * The name of a rule or of an endpoint of the policy, whose limits hold in place of {@link
   * #value}, and whose counters they share. A request that was counted by it on its way here is not
   * counted twice.
   */
  String rule() default "";

  /**
   * Who is counted: an expression over the arguments, such as {@code #userId} or {@code
   * #order.customerId}. It may read properties and do arithmetic; it can call nothing. Without one
   * it is the client of the HTTP request, or, where there is none, everybody together.
   */
  String key() default "";

  /** What a call consumes: a number, or an expression over the arguments. */
  String cost() default "1";

  /**
   * The method that is called in place of this one when it is refused: of the same class, with the
   * same parameters, perhaps with a {@link RateLimitExceededException} behind them.
   */
  String fallback() default "";

  /** What the counters are called. Without one it is the names of class and method. */
  String name() default "";
}
