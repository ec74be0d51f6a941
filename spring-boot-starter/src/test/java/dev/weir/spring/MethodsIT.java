package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.weir.spring.method.LimitedMethod;
import dev.weir.spring.method.LimitedMethods;
import dev.weir.spring.test.RateLimitTestSupport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.event.EventListener;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Limited methods of beans that know nothing of HTTP. */
class MethodsIT {
  record Order(String customer, List<String> lines) {}

  static class Shop {
    final List<String> refusals = new ArrayList<>();

    @RateLimit("2/m")
    public String plain() {
      return "done";
    }

    @RateLimit(
        value = {"3/m", "4/h"},
        key = "#order.customer",
        cost = "#order.lines.size()")
    public String wrongCost(Order order) {
      return "done";
    }

    @RateLimit(value = "3/m", key = "#p0.customer", cost = "#lines")
    public String place(Order order, int lines) {
      return "placed";
    }

    @RateLimit(value = "1/m", fallback = "busy")
    public String careful(String what) {
      return what;
    }

    String busy(String what, RateLimitExceededException refusal) {
      return what + " in " + refusal.retryAfterSeconds() + " s";
    }

    @RateLimit(rule = "reports", key = "#who")
    public String report(String who) {
      return "report";
    }

    @RateLimit(rule = "reports")
    public String reportForAll() {
      return "report";
    }

    @RateLimit(rule = "reports", key = "#who")
    public CompletionStage<String> reportLater(String who) {
      return CompletableFuture.completedStage("report");
    }

    @RateLimit("2/m")
    public Mono<String> mono() {
      return Mono.just("mono");
    }

    @RateLimit(value = "1/m", fallback = "noNumbers")
    public Flux<Integer> numbers() {
      return Flux.just(1, 2);
    }

    public Flux<Integer> noNumbers() {
      return Flux.empty();
    }

    @EventListener
    public void on(RateLimitRefusedEvent event) {
      refusals.add(event.verdict().rule());
    }
  }

  private static TestApplication application;

  @BeforeAll
  static void start() {
    application = start(Shop.class);
  }

  /** Nothing of what a test has used counts in the next one. */
  @AfterEach
  void advance() {
    application.bean(RateLimitTestSupport.Control.class).advance(Duration.ofHours(2));
  }

  @AfterAll
  static void stop() {
    application.close();
  }

  private static TestApplication start(Class<?> bean) {
    return TestApplication.start(
        List.of(bean, RateLimitTestSupport.class),
        "ratelimit.rule[0].name=reports",
        "ratelimit.rule[0].match.path=/reports/**",
        "ratelimit.rule[0].limits=2/m");
  }

  @Test
  void callsAreLimitedForAllTogetherIfNobodyIsNamed() {
    Shop shop = application.bean(Shop.class);
    assertThat(shop.plain()).isEqualTo("done");
    assertThat(shop.plain()).isEqualTo("done");
    assertThatThrownBy(shop::plain)
        .isInstanceOfSatisfying(
            RateLimitExceededException.class,
            refusal -> {
              assertThat(refusal.retryAfterSeconds()).isEqualTo(30);
              assertThat(refusal.verdict().rule()).isEqualTo("method:MethodsIT.Shop.plain");
            });
    application.bean(RateLimitTestSupport.Control.class).advance(Duration.ofSeconds(30));
    assertThat(shop.plain()).isEqualTo("done");
  }

  @Test
  void theKeyAndTheCostComeFromTheArguments() {
    Shop shop = application.bean(Shop.class);
    Order order = new Order("a", List.of());
    assertThat(shop.place(order, 2)).isEqualTo("placed");
    assertThatThrownBy(() -> shop.place(order, 2)).isInstanceOf(RateLimitExceededException.class);
    assertThat(shop.place(order, 1)).isEqualTo("placed");
    assertThat(shop.place(new Order("b", List.of()), 3)).isEqualTo("placed");
    assertThatThrownBy(() -> shop.place(order, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cost must be a number of at least 0, got -1");
  }

  @Test
  void expressionsCallNothing() {
    Shop shop = application.bean(Shop.class);
    assertThatThrownBy(() -> shop.wrongCost(new Order("a", List.of("x"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cost cannot be told");
  }

  @Test
  void aFallbackIsCalledInPlace() {
    Shop shop = application.bean(Shop.class);
    assertThat(shop.careful("x")).isEqualTo("x");
    assertThat(shop.careful("x")).isEqualTo("x in 60 s");
    assertThat(shop.numbers().collectList().block()).containsExactly(1, 2);
    assertThat(shop.numbers().collectList().block()).isEmpty();
  }

  @Test
  void aRuleIsCountedTogetherWithRequestsAndOtherMethods() {
    Shop shop = application.bean(Shop.class);
    RateLimits limits = application.bean(RateLimits.class);
    assertThat(shop.report("alice")).isEqualTo("report");
    assertThat(
            limits
                .check(dev.weir.policy.Request.of("GET", "/reports/1", limits.client("alice")))
                .isAllowed())
        .isTrue();
    assertThatThrownBy(() -> shop.report("alice")).isInstanceOf(RateLimitExceededException.class);
    Throwable thrown = catchThrowable(() -> shop.reportLater("alice").toCompletableFuture().join());
    assertThat(thrown)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(RateLimitExceededException.class);
    assertThat(shop.reportLater("bob").toCompletableFuture().join()).isEqualTo("report");
  }

  @Test
  void aRuleHoldsForAllTogetherIfNobodyIsNamed() {
    Shop shop = application.bean(Shop.class);
    assertThat(shop.reportForAll()).isEqualTo("report");
    assertThat(shop.reportForAll()).isEqualTo("report");
    assertThatThrownBy(shop::reportForAll).isInstanceOf(RateLimitExceededException.class);
    assertThat(shop.report("alice")).isEqualTo("report");
  }

  @Test
  void everySubscriptionIsACall() {
    Shop shop = application.bean(Shop.class);
    Mono<String> mono = shop.mono();
    assertThat(mono.block()).isEqualTo("mono");
    assertThat(mono.block()).isEqualTo("mono");
    assertThatThrownBy(mono::block).isInstanceOf(RateLimitExceededException.class);
  }

  @Test
  void refusalsAreToldAndMethodsShown() {
    Shop shop = application.bean(Shop.class);
    shop.plain();
    shop.plain();
    assertThatThrownBy(shop::plain).isInstanceOf(RateLimitExceededException.class);
    assertThat(application.bean(LimitedMethods.class).all())
        .extracting(LimitedMethod::name)
        .contains("MethodsIT.Shop.plain", "MethodsIT.Shop.report");
  }

  static class BadLimit {
    @RateLimit("10/fortnight")
    public void call() {}
  }

  static class NoLimit {
    @RateLimit
    public void call() {}
  }

  static class BadKey {
    @RateLimit(value = "1/m", key = "#a.[")
    public void call(String a) {}
  }

  static class BadFallback {
    @RateLimit(value = "1/m", fallback = "none")
    public void call() {}
  }

  static class BadRule {
    @RateLimit(rule = "nothing")
    public void call() {}
  }

  @ParameterizedTest
  @ValueSource(
      classes = {BadLimit.class, NoLimit.class, BadKey.class, BadFallback.class, BadRule.class})
  void mistakesStopTheStart(Class<?> bean) {
    Throwable thrown =
        catchThrowable(
            () -> {
              try (TestApplication unexpected = start(bean)) {
                unexpected.bean(bean);
              }
            });
    assertThat(thrown).hasStackTraceContaining("@RateLimit on ");
  }
}
