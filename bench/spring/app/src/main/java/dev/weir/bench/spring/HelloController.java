package dev.weir.bench.spring;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Answers a short text. */
@RestController
class HelloController {

  @GetMapping({"/api/v1/hello", "/*/api/v1/hello"})
  String hello() {
    return "Hello, world";
  }
}
