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
    TestApplication application = shared.with(THREE_A_MINUTE);
    for (int i = 1; i <= 4; i++) {
      assertThat(get(application, "/forward", "X-Forwarded-For: 192.0.2.4").status())
          .isEqualTo(i <= 3 ? 200 : 429);
    }
  }
}
