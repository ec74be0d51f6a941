package dev.weir.bench.spring;

import java.io.IOException;
import java.io.PrintStream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The application in a JVM of its own. It prints its port when it answers, and ends when nobody is
 * left who could write to it. Whatever limits are on the class path are part of it.
 *
 * <p>It uses only what Spring Boot 3 and 4 have in common: the same classes run on both.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class Application {

  public static void main(String[] args) throws IOException {
    PrintStream out = System.out;
    // What is logged must not get in front of the port.
    System.setOut(System.err);
    try (ConfigurableApplicationContext context = SpringApplication.run(Application.class, args)) {
      out.println(context.getEnvironment().getRequiredProperty("local.server.port"));
      while (System.in.read() >= 0) {}
    }
  }
}
