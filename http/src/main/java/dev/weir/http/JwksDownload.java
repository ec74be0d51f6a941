package dev.weir.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A JWKS on the web. It has to come whole within two seconds; redirects are followed as long as
 * they keep to the scheme.
 */
final class JwksDownload implements JwksLocation {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final int MOST_REDIRECTS = 3;
  private static final int OK = 200;

  private final HttpClient client =
      HttpClient.newBuilder()
          .connectTimeout(TIMEOUT)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();
  private final URI uri;

  JwksDownload(URI uri) {
    this.uri = uri;
  }

  @Override
  public CompletableFuture<byte[]> load() {
    return load(uri, MOST_REDIRECTS);
  }

  private CompletableFuture<byte[]> load(URI from, int redirectsLeft) {
    HttpRequest request =
        HttpRequest.newBuilder(from)
            .timeout(TIMEOUT)
            .header("Accept", "application/jwk-set+json, application/json")
            .build();
    CompletableFuture<HttpResponse<byte[]>> exchange =
        client.sendAsync(request, head -> new LimitedBody(MOST_BYTES));
    return exchange
        .copy()
        // The request's own timeout ends with the head, and a body may drip for ever.
        .orTimeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((response, failure) -> exchange.cancel(true))
        .thenCompose(response -> body(response, redirectsLeft));
  }

  private CompletableFuture<byte[]> body(HttpResponse<byte[]> response, int redirectsLeft) {
    int status = response.statusCode();
    if (status == OK) {
      return CompletableFuture.completedFuture(response.body());
    }
    String location = response.headers().firstValue("location").orElse("");
    boolean isRedirect = status > 300 && status < 309 && status != 304 && !location.isEmpty();
    if (!isRedirect || redirectsLeft == 0) {
      return CompletableFuture.failedFuture(new IOException("status must be 200, got " + status));
    }
    URI next = response.uri().resolve(location);
    return uri.getScheme().equalsIgnoreCase(next.getScheme())
        ? load(next, redirectsLeft - 1)
        : CompletableFuture.failedFuture(
            new IOException("a redirect must keep to the scheme, got another one"));
  }

  @Override
  public boolean mustLoadAtStart() {
    return false;
  }

  /** Without what may be a secret: user, password and query. */
  @Override
  public String toString() {
    String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
    return uri.getScheme() + "://" + uri.getHost() + port + uri.getPath();
  }
}
