package dev.weir.spring;

class ReactiveSecurityIT extends SecurityContract {
  @Override
  TestApplication start(String... properties) {
    return reactive(properties);
  }
}
