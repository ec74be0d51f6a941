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
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * What one writes by hand: a limiter for each client, which is told by a field that is believed as
 * it is. With {@code filter.fields=all} it answers with the fields that Weir's starter has, with
 * {@code some} with two of them. A limiter does not tell when its period ends; since all have the
 * same period, that of the filter stands for it.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 100)
class RateLimiterFilter extends OncePerRequestFilter {
  private static final int LIMIT = 1_000_000;
  private static final long PERIOD_SECONDS = 60;

  private final RateLimiterRegistry limiters =
      RateLimiterRegistry.of(
          RateLimiterConfig.custom()
              .limitForPeriod(LIMIT)
              .limitRefreshPeriod(Duration.ofSeconds(PERIOD_SECONDS))
              .timeoutDuration(Duration.ZERO)
              .build());
  private final boolean hasAllFields;
  private final long startNanos = System.nanoTime();

  RateLimiterFilter(@Value("${filter.fields}") String fields) {
    this.hasAllFields = fields.equals("all");
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    RateLimiter limiter = limiters.rateLimiter(client(request));
    boolean isAllowed = limiter.acquirePermission();
    int remaining = Math.max(0, limiter.getMetrics().getAvailablePermissions());
    response.setHeader("X-RateLimit-Limit", Integer.toString(LIMIT));
    response.setHeader("X-RateLimit-Remaining", Integer.toString(remaining));
    if (hasAllFields) {
      long seconds = PERIOD_SECONDS - secondsSinceStart() % PERIOD_SECONDS;
      response.setHeader(
          "X-RateLimit-Reset", Long.toString(System.currentTimeMillis() / 1_000 + seconds));
      response.setHeader("RateLimit-Policy", "\"default\";q=" + LIMIT + ";w=" + PERIOD_SECONDS);
      response.setHeader("RateLimit", "\"default\";r=" + remaining + ";t=" + seconds);
    }
    if (isAllowed) {
      chain.doFilter(request, response);
    } else {
      response.sendError(429);
    }
  }

  private long secondsSinceStart() {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos);
  }

  private static String client(HttpServletRequest request) {
    String forwarded = request.getHeader("X-Forwarded-For");
    return forwarded == null ? request.getRemoteAddr() : forwarded;
  }
}
