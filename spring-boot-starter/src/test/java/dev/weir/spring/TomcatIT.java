package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TomcatIT extends WebContract {
  @Override
  TestApplication start(String... properties) {
    return TestApplication.on(
        TestApplication.Server.TOMCAT, List.of(ServletControllers.class), properties);
  }

  @Test
  @DisplayName("T25: a forward is counted once")
  void aForwardIsCountedOnce() {
    try (TestApplication application = start("ratelimit.requests-per-minute=3")) {
      for (int i = 1; i <= 4; i++) {
        assertThat(get(application, "/forward").status()).isEqualTo(i <= 3 ? 200 : 429);
      }
    }
  }
}
