package dev.weir.example;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What knows nothing of limits. */
@RestController
class Greetings {

  @GetMapping("/hello")
  Greeting hello(@RequestParam(name = "name", defaultValue = "world") String name) {
    return new Greeting("hello, " + name);
  }

  /** What is said. */
  record Greeting(String text) {}
}
