package dev.weir.bench.spring.together;

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
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * What one writes by hand around resilience4j: a limiter for each client, which is told by a field
 * that is believed as it is. It answers with the fields that Weir's starter has. A limiter does not
 * tell when its period ends; since all have the same period, that of the filter stands for it.
 */
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
  private final long startNanos = System.nanoTime();

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    RateLimiter limiter = limiters.rateLimiter(client(request));
    boolean isAllowed = limiter.acquirePermission();
    int remaining = Math.max(0, limiter.getMetrics().getAvailablePermissions());
    response.setHeader("X-RateLimit-Limit", Integer.toString(LIMIT));
    response.setHeader("X-RateLimit-Remaining", Integer.toString(remaining));
    long seconds = PERIOD_SECONDS - secondsSinceStart() % PERIOD_SECONDS;
    response.setHeader(
        "X-RateLimit-Reset", Long.toString(System.currentTimeMillis() / 1_000 + seconds));
    response.setHeader("RateLimit-Policy", "\"default\";q=" + LIMIT + ";w=" + PERIOD_SECONDS);
    response.setHeader("RateLimit", "\"default\";r=" + remaining + ";t=" + seconds);
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
