package dev.weir.example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application. That its requests are limited comes from the dependency alone. */
@SpringBootApplication
public class ExampleApplication {

  /** Starts it. */
  public static void main(String[] args) {
    SpringApplication.run(ExampleApplication.class, args);
  }
}
