package dev.weir.spring;

import java.util.List;

class NettyRedisIT extends RedisContract {
  @Override
  TestApplication start(String... properties) {
    return TestApplication.on(
        TestApplication.Server.NETTY, List.of(ReactiveControllers.class), properties);
  }
}
