package dev.weir.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One Spring MVC application, without limits and with those of several. */
enum SpringContender {
  BARE("bare", "app"),
  FIELDS("a filter that sends five fields and limits nothing", "app"),
  WEIR("Weir's starter", "weir"),
  RESILIENCE4J("filter around resilience4j", "resilience4j"),
  RESILIENCE4J_TWO_FIELDS("the same with two of the five fields", "resilience4j"),
  BARE_ON_BOOT_3("bare, Spring Boot 3.5", "app-on-boot-3"),
  BUCKET4J("Bucket4j's starter, Spring Boot 3.5", "bucket4j");

  private static final String MAIN = "dev.weir.bench.spring.Application";

  /**
   * A connection that is closed after a hundred requests, as by default, costs more than limits.
   */
  private static final List<String> ALL =
      List.of(
          "--server.address=127.0.0.1",
          "--server.port=0",
          "--server.tomcat.max-keep-alive-requests=-1",
          "--spring.main.banner-mode=off",
          "--logging.level.root=warn");

  final String title;
  private final String module;

  SpringContender(String title, String module) {
    this.title = title;
    this.module = module;
  }

  /** What it is told besides: a million requests a minute for each client. */
  private List<String> properties() {
    return switch (this) {
      case BARE, BARE_ON_BOOT_3 -> List.of();
      case FIELDS -> List.of("--constant.fields=true");
      case RESILIENCE4J -> List.of("--filter.fields=all");
      case RESILIENCE4J_TWO_FIELDS -> List.of("--filter.fields=some");
      case WEIR -> List.of("--ratelimit.requests-per-minute=1000000");
      case BUCKET4J ->
          List.of(
              "--spring.cache.jcache.provider="
                  + "com.github.benmanes.caffeine.jcache.spi.CaffeineCachingProvider",
              "--spring.cache.cache-names=buckets",
              "--bucket4j.filters[0].cache-name=buckets",
              "--bucket4j.filters[0].url=.*",
              "--bucket4j.filters[0].rate-limits[0].cache-key=getHeader('X-Forwarded-For')",
              "--bucket4j.filters[0].rate-limits[0].bandwidths[0].capacity=1000000",
              "--bucket4j.filters[0].rate-limits[0].bandwidths[0].time=1",
              "--bucket4j.filters[0].rate-limits[0].bandwidths[0].unit=minutes");
    };
  }

  /** The one on the same Spring Boot that has no limits. */
  SpringContender bare() {
    return switch (this) {
      case BARE, FIELDS, WEIR, RESILIENCE4J, RESILIENCE4J_TWO_FIELDS -> BARE;
      case BARE_ON_BOOT_3, BUCKET4J -> BARE_ON_BOOT_3;
    };
  }

  boolean isBare() {
    return this == bare();
  }

  /** Starts it; the folder is the one of all these modules. */
  ServerProcess start(Path modules) throws IOException {
    List<Object> args = new ArrayList<>(ALL);
    args.addAll(properties());
    return ServerProcess.jvm(classPath(modules), MAIN, args.toArray());
  }

  /** Whether it has been built. */
  boolean isThere(Path modules) {
    return Files.exists(file(modules));
  }

  private String classPath(Path modules) throws IOException {
    Path classes = modules.resolve(module).resolve("target").resolve("classes");
    return classes + System.getProperty("path.separator") + Files.readString(file(modules)).strip();
  }

  private Path file(Path modules) {
    return modules.resolve(module).resolve("target").resolve("class-path");
  }
}
