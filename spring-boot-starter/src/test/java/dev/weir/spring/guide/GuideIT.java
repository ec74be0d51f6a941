package dev.weir.spring.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.sun.net.httpserver.HttpServer;
import dev.weir.http.HttpRequest;
import dev.weir.policy.Headers;
import dev.weir.policy.Request;
import dev.weir.spring.RateLimitExceededException;
import dev.weir.spring.RateLimitProperties;
import dev.weir.spring.RateLimits;
import dev.weir.spring.client.OutgoingLimitException;
import dev.weir.spring.guide.Orders.Order;
import dev.weir.spring.test.RateLimitTestSupport;
import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** The guides say what is true: their Java is that of this package, and their properties start. */
class GuideIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final List<String> PAGES =
      List.of("docs/guides/spring-boot.md", "docs/guides/migrating-to-the-starter.md");
  private static final List<String> SOURCES =
      List.of(
          "spring-boot-starter/src/test/java/dev/weir/spring/guide", "examples/spring-boot/src");
  private static final Pattern BLOCK =
      Pattern.compile("^```(\\w+)\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  @TempDir Path folder = Path.of("");

  @EnableAutoConfiguration
  static class Application {}

  private static ConfigurableApplicationContext start(
      Map<String, Object> properties, Class<?>... classes) {
    Class<?>[] all =
        Stream.concat(Stream.<Class<?>>of(Application.class), Stream.of(classes))
            .toArray(Class<?>[]::new);
    return new SpringApplicationBuilder(all)
        .web(WebApplicationType.NONE)
        .registerShutdownHook(false)
        .properties(properties)
        .properties("spring.main.banner-mode=off", "logging.level.root=warn")
        .run();
  }

  private record Block(String name, String language, String text) {}

  private static List<Block> blocks(String language) throws IOException {
    List<Block> blocks = new ArrayList<>();
    for (String page : PAGES) {
      String text = Files.readString(ROOT.resolve(page));
      Matcher matcher = BLOCK.matcher(text);
      while (matcher.find()) {
        long line = text.substring(0, matcher.start()).lines().count() + 1;
        if (matcher.group(1).equals(language)) {
          blocks.add(new Block(page + ":" + line, language, matcher.group(2)));
        }
      }
    }
    assertThat(blocks).isNotEmpty();
    return blocks;
  }

  /** Whatever the indentation. */
  private static String bare(String code) {
    return code.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .reduce("", (all, line) -> all + line + "\n");
  }

  @TestFactory
  List<DynamicTest> javaIsPartOfSourcesThatRun() throws IOException {
    List<String> sources = new ArrayList<>();
    for (String place : SOURCES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(place))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          sources.add(bare(Files.readString(file)));
        }
      }
    }
    return blocks("java").stream()
        .map(
            block ->
                dynamicTest(
                    block.name,
                    () ->
                        assertThat(sources)
                            .as(block.name)
                            .anyMatch(source -> source.contains(bare(block.text)))))
        .toList();
  }

  @TestFactory
  List<DynamicTest> propertiesAreRight() throws IOException {
    return blocks("properties").stream()
        .map(block -> dynamicTest(block.name, () -> assertStarts(block)))
        .toList();
  }

  private void assertStarts(Block block) throws IOException {
    Path file = Files.writeString(folder.resolve("weir.toml"), "[default]\nlimit = \"5/m\"\n");
    Properties read = new Properties();
    read.load(new StringReader(block.text.replace("file:weir.toml", file.toUri().toString())));
    Map<String, Object> properties = new HashMap<>();
    read.stringPropertyNames().forEach(name -> properties.put(name, read.getProperty(name)));
    try (ConfigurableApplicationContext application = start(properties)) {
      assertThat(application.getBean(RateLimits.class).gate().policy().version()).isNotEmpty();
    }
  }

  @Test
  void everyPropertyIsNamed() throws IOException {
    String page = Files.readString(ROOT.resolve(PAGES.get(0)));
    List<String> missing = new ArrayList<>();
    names(RateLimitProperties.class, "", missing, page);
    assertThat(missing).isEmpty();
  }

  /** Each property is in a row of a table that begins with its prefix. */
  private static void names(Class<?> type, String prefix, List<String> missing, String page) {
    for (RecordComponent component : type.getRecordComponents()) {
      String name = component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
      name = Map.of("standard", "default", "is-final", "final").getOrDefault(name, name);
      Class<?> inside = component.getType();
      if (inside == List.class
          && component.getGenericType() instanceof ParameterizedType list
          && list.getActualTypeArguments()[0] instanceof Class<?> element) {
        inside = element;
      }
      if (inside.isRecord()) {
        names(
            inside, prefix + name + (inside == component.getType() ? "." : "[0]."), missing, page);
        continue;
      }
      String row = Pattern.quote("| `ratelimit." + prefix);
      String rest = Pattern.quote(name) + "(\\[<pattern>\\]|\\.<name>)?`";
      boolean isNamed =
          Pattern.compile(
                  "^" + row + "(" + rest + " \\||` ([^|]+, )?`" + rest + ")", Pattern.MULTILINE)
              .matcher(page)
              .find();
      if (!isNamed) {
        missing.add("ratelimit." + prefix + name);
      }
    }
  }

  @Test
  void methodsAreLimitedAsTheirAnnotationsSay() {
    Map<String, Object> properties =
        Map.of(
            "ratelimit.endpoint[0].name",
            "reports",
            "ratelimit.endpoint[0].paths",
            "/reports/**",
            "ratelimit.endpoint[0].limit",
            "1/m");
    try (ConfigurableApplicationContext application =
        start(properties, Orders.class, RateLimitTestSupport.class)) {
      Orders orders = application.getBean(Orders.class);
      assertThat(orders.count() + orders.count()).isEqualTo(14);
      assertThatThrownBy(orders::count).isInstanceOf(RateLimitExceededException.class);

      orders.place(new Order("acme", 19));
      assertThatThrownBy(() -> orders.place(new Order("acme", 2)))
          .isInstanceOf(RateLimitExceededException.class);
      orders.place(new Order("other", 20));

      orders.ping("acme");
      assertThatThrownBy(() -> orders.ping("acme")).isInstanceOf(RateLimitExceededException.class);
      orders.ping("admin");
      orders.ping("admin");

      assertThat(orders.report("acme", 2026)).isEqualTo("acme in 2026");
      assertThat(orders.report("acme", 2026)).isEqualTo("come again in 60 s");

      assertThat(orders.later("acme").toCompletableFuture().join()).isEqualTo("acme");
      assertThat(orders.later("acme").toCompletableFuture()).isCompletedExceptionally();
      assertThat(orders.reactive("acme").block()).isEqualTo("acme");
      assertThatThrownBy(() -> orders.reactive("acme").block())
          .isInstanceOf(RateLimitExceededException.class);
    }
  }

  @Test
  void aConstantCountsAllTogether() {
    try (ConfigurableApplicationContext application =
        start(Map.of(), Quotes.class, RateLimitTestSupport.class)) {
      Quotes quotes = application.getBean(Quotes.class);
      for (int i = 0; i < 60; i++) {
        assertThat(quotes.quote()).isEqualTo(i < 50 ? "new" : "old");
      }
    }
  }

  @Test
  void noFamilyOfFieldsLeavesRetryAfter() {
    try (ConfigurableApplicationContext application =
        start(Map.of("ratelimit.response.headers", "", "ratelimit.requests-per-minute", "1"))) {
      RateLimits limits = application.getBean(RateLimits.class);
      Request request = Request.of("GET", "/", limits.client("alice"));
      assertThat(limits.answer(limits.check(request)).fields()).isEmpty();
      assertThat(limits.answer(limits.check(request)).fields()).containsOnlyKeys("Retry-After");
    }
  }

  @Test
  void keysGiveUserAndTier() {
    try (ConfigurableApplicationContext application = start(Map.of(), Keys.class)) {
      Request request =
          application
              .getBean(RateLimits.class)
              .request(
                  new HttpRequest(
                      "GET", "/", "203.0.113.7", Headers.of(Map.of("X-API-Key", "s3cret"))));
      assertThat(request.client()).hasToString("user:acme (gold)");
      assertThat(request.client().key()).isEqualTo("key-17");
    }
  }

  @Test
  void refusalsAreEvents() {
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    var log = (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(RefusalLog.class);
    Map<String, Object> properties =
        Map.of(
            "ratelimit.requests-per-minute", "10", "logging.level.dev.weir.spring.guide", "info");
    try (ConfigurableApplicationContext application =
        start(properties, RefusalLog.class, Imports.class)) {
      lines.start();
      log.addAppender(lines);
      Imports imports = application.getBean(Imports.class);
      imports.received("acme", 8);
      assertThatThrownBy(() -> imports.received("acme", 8))
          .isInstanceOf(RateLimitExceededException.class);
      assertThat(lines.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .containsExactly("user:acme was refused by default");
    } finally {
      log.detachAppender(lines);
    }
  }

  @Test
  void othersAreAskedAsOftenAsTheyLike() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().set("Retry-After", "30");
          exchange.sendResponseHeaders(
              exchange.getRequestURI().getPath().equals("/busy") ? 429 : 200, -1);
          exchange.close();
        });
    server.start();
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    try (ConfigurableApplicationContext application = start(Map.of(), Partners.class)) {
      RestClient rest = application.getBean(RestClient.class);
      WebClient web = application.getBean(WebClient.class);
      assertThat(rest.get().uri(url).retrieve().toBodilessEntity().getStatusCode().value())
          .isEqualTo(200);
      assertThatThrownBy(() -> rest.get().uri(url + "/busy").retrieve().toBodilessEntity())
          .hasMessageContaining("429");
      assertThatThrownBy(() -> rest.get().uri(url).retrieve().toBodilessEntity())
          .isInstanceOf(OutgoingLimitException.class)
          .hasMessageContaining("has asked for a pause");
      assertThatThrownBy(() -> web.get().uri(url).retrieve().toBodilessEntity().block())
          .hasStackTraceContaining("has asked for a pause");
    } finally {
      server.stop(0);
    }
  }
}
