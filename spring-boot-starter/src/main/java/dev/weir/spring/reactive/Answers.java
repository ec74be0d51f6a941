package dev.weir.spring.reactive;

import dev.weir.http.Answer;
import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Writes refusals. */
final class Answers {
  private Answers() {}

  static Mono<Void> write(ServerWebExchange exchange, Answer answer) {
    ServerHttpResponse response = exchange.getResponse();
    HttpHeaders headers = response.getHeaders();
    answer.fields().forEach(headers::set);
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    if (hasBody(exchange.getRequest())) {
      // Else the server would read all of it, to find the next request behind it.
      headers.set(HttpHeaders.CONNECTION, "close");
    }
    response.setStatusCode(HttpStatusCode.valueOf(answer.status()));
    headers.set(HttpHeaders.CONTENT_TYPE, answer.contentType() + ";charset=utf-8");
    headers.setContentLength(body.length);
    return response.writeWith(Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
  }

  private static boolean hasBody(ServerHttpRequest http) {
    return http.getHeaders().getContentLength() > 0
        || http.getHeaders().containsHeader(HttpHeaders.TRANSFER_ENCODING);
  }
}
