package dev.weir.spring;

import java.util.List;

class TomcatRedisIT extends RedisContract {
  @Override
  TestApplication start(String... properties) {
    return TestApplication.on(
        TestApplication.Server.TOMCAT, List.of(ServletControllers.class), properties);
  }
}
