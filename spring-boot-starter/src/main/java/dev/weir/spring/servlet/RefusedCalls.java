package dev.weir.spring.servlet;

import dev.weir.spring.RateLimitExceededException;
import dev.weir.spring.RateLimits;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/** Answers a refused call of a limited method as a refused request is answered. */
final class RefusedCalls implements HandlerExceptionResolver, Ordered {
  private final RateLimits limits;

  RefusedCalls(RateLimits limits) {
    this.limits = limits;
  }

  /** Behind the handlers of the application, before those of Spring. */
  @Override
  public int getOrder() {
    return 1;
  }

  @Override
  public @Nullable ModelAndView resolveException(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception thrown) {
    if (!(thrown instanceof RateLimitExceededException refusal) || response.isCommitted()) {
      return null;
    }
    try {
      Answers.write(request, response, limits.answer(refusal.verdict()));
      return new ModelAndView();
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }
}
