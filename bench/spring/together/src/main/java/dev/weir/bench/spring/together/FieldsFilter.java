package dev.weir.bench.spring.together;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Sends the fields that limits are told by, always the same, and limits nothing: what any filter
 * costs at the least that sends them.
 */
class FieldsFilter extends OncePerRequestFilter {

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    response.setHeader("X-RateLimit-Limit", "1000000");
    response.setHeader("X-RateLimit-Remaining", "999999");
    response.setHeader("X-RateLimit-Reset", "1800000000");
    response.setHeader("RateLimit-Policy", "\"default\";q=1000000;w=60");
    response.setHeader("RateLimit", "\"default\";r=999999;t=60");
    chain.doFilter(request, response);
  }
}
