package dev.weir.spring;

class ServletSecurityIT extends SecurityContract {
  @Override
  TestApplication start(String... properties) {
    return servlet(properties);
  }
}
