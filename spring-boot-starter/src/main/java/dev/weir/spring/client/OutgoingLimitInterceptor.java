package dev.weir.spring.client;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/** Limits what a {@code RestClient} or a {@code RestTemplate} asks of others. */
public final class OutgoingLimitInterceptor implements ClientHttpRequestInterceptor {
  private final OutgoingLimits limits;

  /** Keeps to those limits, which several clients may share. */
  public OutgoingLimitInterceptor(OutgoingLimits limits) {
    this.limits = limits;
  }

  @Override
  public ClientHttpResponse intercept(
      HttpRequest request, byte[] body, ClientHttpRequestExecution execution) throws IOException {
    String host = Hosts.of(request.getURI());
    await(host);
    ClientHttpResponse response = execution.execute(request, body);
    limits.answered(
        host, response.getStatusCode().value(), name -> joined(response.getHeaders(), name));
    return response;
  }

  private void await(String host) {
    try {
      limits.permitted(host).toCompletableFuture().join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  static @org.jspecify.annotations.Nullable String joined(HttpHeaders headers, String name) {
    List<String> values = headers.getOrEmpty(name);
    return values.isEmpty() ? null : String.join(", ", values);
  }
}
