package dev.weir.spring.guide;

import dev.weir.spring.RateLimit;
import dev.weir.spring.RateLimitExceededException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

@Service
class Orders {
  record Order(String customer, int lines) {}

  @RateLimit("2/s")
  public int count() {
    return 7;
  }

  @RateLimit(
      value = {"20/m", "100/h"},
      key = "#order.customer",
      cost = "#order.lines")
  public void place(Order order) {}

  @RateLimit(rule = "reports", key = "#customer", fallback = "noReport")
  public String report(String customer, int year) {
    return customer + " in " + year;
  }

  String noReport(String customer, int year, RateLimitExceededException refusal) {
    return "come again in " + refusal.retryAfterSeconds() + " s";
  }

  @RateLimit(value = "1/m", key = "#customer")
  public CompletionStage<String> later(String customer) {
    return CompletableFuture.completedStage(customer);
  }

  @RateLimit(value = "1/m", key = "#customer")
  public Mono<String> reactive(String customer) {
    return Mono.just(customer);
  }

  @RateLimit(value = "1/m", key = "#customer", cost = "#customer == 'admin' ? 0 : 1")
  public void ping(String customer) {}
}
