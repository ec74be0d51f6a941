package dev.weir.bench.spring.resilience4j;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * What one writes by hand: a limiter for each client, which is told by a field that is believed as
 * it is. When a limit resets cannot be said, since a limiter does not tell when its period ends.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 100)
class RateLimiterFilter extends OncePerRequestFilter {
  private static final int LIMIT = 1_000_000;

  private final RateLimiterRegistry limiters =
      RateLimiterRegistry.of(
          RateLimiterConfig.custom()
              .limitForPeriod(LIMIT)
              .limitRefreshPeriod(Duration.ofMinutes(1))
              .timeoutDuration(Duration.ZERO)
              .build());

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    RateLimiter limiter = limiters.rateLimiter(client(request));
    boolean isAllowed = limiter.acquirePermission();
    int remaining = Math.max(0, limiter.getMetrics().getAvailablePermissions());
    response.setHeader("X-RateLimit-Limit", Integer.toString(LIMIT));
    response.setHeader("X-RateLimit-Remaining", Integer.toString(remaining));
    if (isAllowed) {
      chain.doFilter(request, response);
    } else {
      response.sendError(429);
    }
  }

  private static String client(HttpServletRequest request) {
    String forwarded = request.getHeader("X-Forwarded-For");
    return forwarded == null ? request.getRemoteAddr() : forwarded;
  }
}
