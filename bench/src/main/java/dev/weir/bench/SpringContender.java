package dev.weir.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One Spring MVC application, without limits and with those of several.
 *
 * <p>Some are applications of their own. What a request costs differs from one process to the next,
 * also of the same application, by more than filters differ; so those that send the same fields are
 * compared as filters of one application, each for paths of its own.
 */
enum SpringContender {
  BARE("bare", "app", ""),
  WEIR("Weir's starter", "weir", ""),
  BARE_ON_BOOT_3("bare, Spring Boot 3.5", "app-on-boot-3", ""),
  BUCKET4J("Bucket4j's starter, Spring Boot 3.5", "bucket4j", ""),
  WITHOUT_FILTER("no filter, in one application", "together", "/bare"),
  FIELDS("five fields, no limit, in one application", "together", "/fields"),
  WEIR_FILTER("Weir's filter, in one application", "together", "/weir"),
  RESILIENCE4J("filter around resilience4j, in one application", "together", "/resilience4j");

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

  /** The module that is its application, also that of others if they share it. */
  final String module;

  private final String below;

  SpringContender(String title, String module, String below) {
    this.title = title;
    this.module = module;
    this.below = below;
  }

  /** Where it answers so. */
  String path(SpringLoad.Answer answer) {
    return below + answer.path;
  }

  /** What it is told besides: a million requests a minute for each client. */
  private List<String> properties() {
    return switch (this) {
      case BARE, BARE_ON_BOOT_3 -> List.of();
      case WEIR -> List.of("--ratelimit.requests-per-minute=1000000");
      case WITHOUT_FILTER, FIELDS, WEIR_FILTER, RESILIENCE4J ->
          List.of("--ratelimit.requests-per-minute=1000000", "--ratelimit.filter.enabled=false");
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

  /** The one that differs by having no limits. */
  SpringContender bare() {
    return switch (this) {
      case BARE, WEIR -> BARE;
      case BARE_ON_BOOT_3, BUCKET4J -> BARE_ON_BOOT_3;
      case WITHOUT_FILTER, FIELDS, WEIR_FILTER, RESILIENCE4J -> WITHOUT_FILTER;
    };
  }

  boolean isBare() {
    return this == bare();
  }

  /** Starts its application; the folder is the one of all these modules. */
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
