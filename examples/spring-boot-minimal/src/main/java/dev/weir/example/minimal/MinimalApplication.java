package dev.weir.example.minimal;

import dev.weir.spring.RateLimit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** An application that has nothing but Spring MVC, a server and limits. */
@SpringBootApplication
@RestController
public class MinimalApplication {

  /** Starts it. */
  public static void main(String[] args) {
    SpringApplication.run(MinimalApplication.class, args);
  }

  @GetMapping("/hello")
  String hello() {
    return "hello";
  }

  @RateLimit(value = "2/m", key = "#name")
  @GetMapping("/greet")
  String greet(@RequestParam String name) {
    return "hello " + name;
  }
}
