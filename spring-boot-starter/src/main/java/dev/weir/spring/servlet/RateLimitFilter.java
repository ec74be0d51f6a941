package dev.weir.spring.servlet;

import dev.weir.http.HttpRequest;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.Request;
import dev.weir.policy.RequestPath;
import dev.weir.policy.Verdict;
import dev.weir.spring.CurrentRequest;
import dev.weir.spring.RateLimits;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides each request once, before anybody reads its body. A request that it refuses goes no
 * further; one that passes carries the fields of the decision in its response.
 *
 * <p>Where users are authenticated further down the chain, a request whose limits count by user is
 * decided there, by {@link #afterAuthentication}. One that does not get that far, since it was
 * turned away or was the login itself, is counted by its address when it comes back.
 */
public final class RateLimitFilter implements Filter {
  /** Has a request that is not decided yet. */
  private static final String AWAITED = RateLimitFilter.class.getName() + ".AWAITED";

  private final RateLimits limits;
  private final boolean isAuthenticatedLater;

  /**
   * A filter.
   *
   * @param isAuthenticatedLater whether {@link #afterAuthentication} is further down the chain
   */
  public RateLimitFilter(RateLimits limits, boolean isAuthenticatedLater) {
    this.limits = limits;
    this.isAuthenticatedLater = isAuthenticatedLater;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest http
        && response instanceof HttpServletResponse answer
        && isNew(http)) {
      decide(http, answer, chain);
    } else {
      chain.doFilter(request, response);
    }
  }

  /** Not if it comes by way of another dispatch, or of a filter that is there twice. */
  private boolean isNew(HttpServletRequest request) {
    return request.getAttribute(CurrentRequest.VERDICT) == null
        && (!isAuthenticatedLater || request.getAttribute(AWAITED) == null);
  }

  private void decide(HttpServletRequest http, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Request request;
    try {
      request = request(http);
    } catch (MalformedRequestException mistake) {
      Answers.write(http, response, limits.answer(mistake));
      return;
    }
    if (!isAuthenticatedLater || !limits.awaitsUser(request)) {
      pass(request, http, response, chain);
      return;
    }
    Verdict refusal = limits.refusalOfAddress(request).toCompletableFuture().join();
    if (refusal != null) {
      http.setAttribute(CurrentRequest.VERDICT, refusal);
      Answers.write(http, response, limits.answer(refusal));
      return;
    }
    http.setAttribute(AWAITED, request);
    try {
      chain.doFilter(http, response);
    } finally {
      if (http.getAttribute(AWAITED) != null) {
        http.removeAttribute(AWAITED);
        http.setAttribute(
            CurrentRequest.VERDICT, limits.countRejected(request).toCompletableFuture().join());
      }
    }
  }

  private Request request(HttpServletRequest http) {
    Request request =
        limits.request(
            new HttpRequest(
                http.getMethod(), target(http), http.getRemoteAddr(), name -> values(http, name)));
    Principal user = http.getUserPrincipal();
    return user == null ? request : limits.authenticated(request, user.getName());
  }

  /** Inside the application: patterns need not know where it is mounted. */
  private static String target(HttpServletRequest http) {
    String target = http.getRequestURI();
    RequestPath.requireNoDotSegments(target);
    if (http.getContextPath().isEmpty()) {
      return target;
    }
    // Both in one form, since the client may have encoded the mount.
    String path = RequestPath.canonical(target);
    String mount = RequestPath.canonical(http.getContextPath()) + "/";
    return path.startsWith(mount) ? path.substring(mount.length() - 1) : path;
  }

  private static List<String> values(HttpServletRequest http, String name) {
    Enumeration<String> values = http.getHeaders(name);
    if (!values.hasMoreElements()) {
      return List.of();
    }
    String first = values.nextElement();
    if (!values.hasMoreElements()) {
      return List.of(first);
    }
    List<String> all = new ArrayList<>(List.of(first));
    values.asIterator().forEachRemaining(all::add);
    return all;
  }

  private void pass(
      Request request, HttpServletRequest http, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Verdict verdict = limits.check(request);
    http.setAttribute(CurrentRequest.VERDICT, verdict);
    if (verdict.isAllowed()) {
      limits.fields(verdict, response::addHeader);
      chain.doFilter(http, response);
    } else {
      Answers.write(http, response, limits.answer(verdict));
    }
  }

  /** Decides requests that were let through to it undecided, now that the user is known. */
  public Filter afterAuthentication() {
    return (request, response, chain) -> {
      Request awaited = awaited(request);
      if (awaited != null
          && request instanceof HttpServletRequest http
          && response instanceof HttpServletResponse answer) {
        http.removeAttribute(AWAITED);
        Principal user = http.getUserPrincipal();
        pass(
            user == null ? awaited : limits.authenticated(awaited, user.getName()),
            http,
            answer,
            chain);
      } else {
        chain.doFilter(request, response);
      }
    };
  }

  private static @Nullable Request awaited(ServletRequest request) {
    return request.getAttribute(AWAITED) instanceof Request awaited ? awaited : null;
  }
}
