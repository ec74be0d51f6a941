package dev.weir.spring;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.http.client.ReactorResourceFactory;

/**
 * A running application: a real server on a free port, with what the starter adds to it and nothing
 * else but the given classes.
 */
final class TestApplication implements AutoCloseable {
  private final ConfigurableApplicationContext context;

  /** Without Spring Security, which would want a password. */
  @EnableAutoConfiguration(
      excludeName = {
        "org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration",
        "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration",
        "org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration",
        "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration",
        "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
        "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration",
        "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
        "org.springframework.boot.security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration"
      })
  static class Open {}

  /** With Spring Security, as it is if nothing is said. */
  @EnableAutoConfiguration
  static class Secured {}

  private TestApplication(ConfigurableApplicationContext context) {
    this.context = context;
  }

  /** So that nobody waits for two seconds of silence at the end. */
  static class QuickEnd {
    @Bean
    ReactorResourceFactory resources() {
      ReactorResourceFactory resources = new ReactorResourceFactory();
      resources.setUseGlobalResources(false);
      resources.setShutdownQuietPeriod(Duration.ZERO);
      return resources;
    }
  }

  /** Servers that are there together; each test is to have one of them. */
  enum Server {
    TOMCAT(WebApplicationType.SERVLET, "jetty.autoconfigure.servlet.JettyServlet"),
    JETTY(WebApplicationType.SERVLET, "tomcat.autoconfigure.servlet.TomcatServlet"),
    NETTY(
        WebApplicationType.REACTIVE,
        "jetty.autoconfigure.reactive.JettyReactive",
        "tomcat.autoconfigure.reactive.TomcatReactive");

    private final WebApplicationType type;
    private final String without;

    Server(WebApplicationType type, String... others) {
      this.type = type;
      this.without =
          Arrays.stream(others)
              .map("org.springframework.boot.%sWebServerAutoConfiguration"::formatted)
              .collect(Collectors.joining(","));
    }
  }

  /** Starts one on a server, without Spring Security. */
  static TestApplication on(Server server, List<Class<?>> classes, String... properties) {
    return on(server, Open.class, classes, properties);
  }

  /** Starts one on a server, with Spring Security. */
  static TestApplication secured(Server server, List<Class<?>> classes, String... properties) {
    return on(server, Secured.class, classes, properties);
  }

  private static TestApplication on(
      Server server, Class<?> main, List<Class<?>> classes, String... properties) {
    String[] all = Arrays.copyOf(properties, properties.length + 1);
    all[properties.length] = "spring.autoconfigure.exclude=" + server.without;
    List<Class<?>> most = new ArrayList<>(classes);
    if (server == Server.NETTY) {
      most.add(QuickEnd.class);
    }
    TestApplication application = start(server.type, main, most, all);
    String found =
        Objects.requireNonNull(((WebServerApplicationContext) application.context).getWebServer())
            .getClass()
            .getSimpleName();
    if (!found.toUpperCase(Locale.ROOT).startsWith(server.name())) {
      application.close();
      throw new IllegalStateException("expected %s, got %s".formatted(server, found));
    }
    return application;
  }

  /** Starts one that serves nobody. */
  static TestApplication start(List<Class<?>> classes, String... properties) {
    return start(WebApplicationType.NONE, Open.class, classes, properties);
  }

  private static TestApplication start(
      WebApplicationType type, Class<?> main, List<Class<?>> classes, String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("server.port=0");
    all.add("server.address=" + InetAddress.getLoopbackAddress().getHostAddress());
    all.add("spring.main.banner-mode=off");
    all.add("logging.level.root=warn");
    Class<?>[] sources =
        Stream.concat(Stream.<Class<?>>of(main), classes.stream()).toArray(Class<?>[]::new);
    return new TestApplication(
        new SpringApplicationBuilder(sources)
            .web(type)
            .registerShutdownHook(false)
            .properties(all.toArray(new String[0]))
            .run());
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  int port() {
    return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
  }

  @Override
  public void close() {
    context.close();
  }
}
