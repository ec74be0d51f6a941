package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.http.RawHttp;
import dev.weir.testkit.redis.RedisServer;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What operators see over HTTP. */
class ActuatorIT {
  private static TestApplication start(String... properties) {
    String[] all = new String[properties.length + 2];
    System.arraycopy(properties, 0, all, 0, properties.length);
    all[properties.length] = "management.endpoints.web.exposure.include=*";
    all[properties.length + 1] = "management.endpoint.health.show-details=always";
    return TestApplication.on(
        TestApplication.Server.TOMCAT, List.of(ServletControllers.class), all);
  }

  @Test
  void showsThePolicyAndTheMethods() {
    try (TestApplication application =
        start(
            "ratelimit.endpoint[0].name=login",
            "ratelimit.endpoint[0].paths=/login",
            "ratelimit.endpoint[0].limit=5/m")) {
      String shown = WebContract.get(application, "/actuator/ratelimit").text();
      assertThat(shown)
          .contains("\"source\":\"properties\"")
          .contains("\"default\":\"60/60s fixed_window align first_request\"")
          .contains("\"name\":\"login\"")
          .contains("\"name\":\"ServletControllers.limited\"")
          .contains("\"key\":\"#who\"");
    }
  }

  @Test
  void countersAreReadAndSetBack() {
    try (TestApplication application = start("ratelimit.requests-per-minute=3")) {
      String other = "X-Forwarded-For: 192.0.2.7";
      for (int i = 0; i < 4; i++) {
        assertThat(WebContract.get(application, "/hello", other).status())
            .isEqualTo(i < 3 ? 200 : 429);
      }
      assertThat(WebContract.get(application, "/actuator/ratelimit/ip:192.0.2.7").text())
          .contains("\"used\":3")
          .contains("\"remaining\":0");
      assertThat(
              WebContract.ask(application, "DELETE", "/actuator/ratelimit/ip:192.0.2.7").status())
          .isEqualTo(200);
      assertThat(WebContract.get(application, "/hello", other).status()).isEqualTo(200);
      assertThat(WebContract.get(application, "/actuator/ratelimit/nobody").status())
          .isEqualTo(400);
    }
  }

  @Test
  void countersOfMethodsAreAmongThem() {
    try (TestApplication application = start()) {
      for (int i = 0; i < 3; i++) {
        WebContract.get(application, "/limited?who=ann");
      }
      String used = WebContract.get(application, "/actuator/ratelimit/user:ann").text();
      assertThat(used)
          .containsPattern("\"counter\":\"method:ServletControllers.limited\"[^}]*\"used\":2");
      WebContract.ask(application, "DELETE", "/actuator/ratelimit/user:ann");
      assertThat(WebContract.get(application, "/limited?who=ann").status()).isEqualTo(200);
    }
  }

  @Test
  void metricsHaveTheNamesOfTheService() {
    try (TestApplication application = start("ratelimit.requests-per-minute=3")) {
      for (int i = 0; i < 5; i++) {
        WebContract.get(application, "/hello");
      }
      MeterRegistry registry = application.bean(MeterRegistry.class);
      assertThat(count(registry, "allowed")).isEqualTo(3);
      assertThat(count(registry, "throttled")).isEqualTo(2);
      assertThat(
              registry
                  .get("weir.rate.limit.throttled")
                  .tag("rule", "default")
                  .tag("endpoint", "*")
                  .counter()
                  .count())
          .isEqualTo(2);
      assertThat(registry.get("weir.rate.limit.check.duration").timer().count()).isEqualTo(5);
      assertThat(registry.get("weir.rate.limit.active.keys").gauge().value()).isEqualTo(1);
      assertThat(registry.get("weir.rate.limit.degraded").gauge().value()).isZero();
    }
  }

  private static double count(MeterRegistry registry, String decision) {
    return registry.get("weir.rate.limit.requests").tag("decision", decision).counter().count();
  }

  @Test
  void healthTellsWhetherCountersAreThere() {
    try (RedisServer redis = RedisServer.start();
        TestApplication application =
            start(
                "ratelimit.redis.url=" + redis.uri() + "/0",
                "ratelimit.requests-per-minute=100000",
                "ratelimit.counters.failure-mode=closed",
                "management.health.redis.enabled=false")) {
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(health(application)).contains("\"reachable\":true"));
      assertThat(health(application))
          .contains("\"ratelimit\":{")
          .contains("\"counters\":\"redis\"");
      redis.kill();
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () ->
                  assertThat(application.bean(dev.weir.CounterStore.class))
                      .satisfies(
                          store -> assertThat(StoreState.of(store).isReachable()).isFalse()));
      RateLimits limits = application.bean(RateLimits.class);
      assertThat(limits.gate().policy().definition().failureMode()).hasToString("closed");
    }
  }

  private static String health(TestApplication application) {
    RawHttp.Reply reply = WebContract.get(application, "/actuator/health");
    return reply.text();
  }
}
