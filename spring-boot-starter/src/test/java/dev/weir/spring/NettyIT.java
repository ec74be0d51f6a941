package dev.weir.spring;

import java.util.List;

class NettyIT extends WebContract {
  @Override
  TestApplication start(String... properties) {
    return TestApplication.on(
        TestApplication.Server.NETTY, List.of(ReactiveControllers.class), properties);
  }
}
