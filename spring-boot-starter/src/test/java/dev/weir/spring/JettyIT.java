package dev.weir.spring;

import java.util.List;

class JettyIT extends WebContract {
  @Override
  TestApplication start(String... properties) {
    return TestApplication.on(
        TestApplication.Server.JETTY, List.of(ServletControllers.class), properties);
  }
}
