package dev.weir.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Makes the pictures of {@code docs/images}, when asked to: {@code -Dweir.screenshots=true}.
 * Requests are sent for a minute before, so that the live charts have something to show.
 */
@EnabledIfSystemProperty(named = "weir.screenshots", matches = "true")
@Tag("long")
class ScreenshotsIT extends DashboardContext {
  private static final Path IMAGES = Path.of("..", "docs", "images");
  private static final int LARGEST_BYTES = 150_000;

  private final Thread traffic = new Thread(this::sendRequests, "traffic");
  private volatile boolean isOver;

  @Override
  void prepare(Path data) {
    PastMetrics.fill(data);
  }

  @Override
  String config() {
    return WatchedServer.CONFIG
        .replace("limit = \"60/m\"", "limit = \"900/m\"")
        .replace("limit = \"600/m\"", "limit = \"3000/m\"")
        .replace("limit = 20\nwindow = \"1h\"", "limit = 240\nwindow = \"60s\"")
        .replace("algorithm = \"fixed_window\"\nalign = \"first_request\"\n", "");
  }

  @BeforeAll
  void aMinuteOfRequests() {
    SampleTraffic.on(server).configure();
    traffic.start();
    Awaitility.await()
        .atMost(Duration.ofMinutes(3))
        .until(() -> server.get("v1/admin/live?seconds=61").get("allowed").get(0).asInt() > 0);
  }

  @AfterAll
  void endOfRequests() throws InterruptedException {
    isOver = true;
    traffic.join();
  }

  private void sendRequests() {
    SampleTraffic sample = SampleTraffic.on(server);
    long start = System.nanoTime();
    while (!isOver) {
      double seconds = (System.nanoTime() - start) / 1e9;
      sample.send((int) (7 + 4 * Math.sin(seconds / 6) + (seconds % 19 < 3 ? 9 : 0)));
      LockSupport.parkNanos(60_000_000);
    }
  }

  private void take(String name) throws IOException {
    browser.until("all is loaded", () -> browser.count(".bone") == 0);
    byte[] picture = browser.screenshot();
    assertThat(picture.length).as(name).isLessThan(LARGEST_BYTES);
    Files.write(Files.createDirectories(IMAGES).resolve(name + ".png"), picture);
  }

  private void showFilled(SamplePage page) {
    show(page.address());
    page.sign().forEach(sign -> browser.see("main", sign));
  }

  @Test
  void ofEveryPage() throws IOException {
    for (SamplePage page : SamplePage.ALL) {
      showFilled(page);
      switch (page.name()) {
        case "overview" -> {
          browser.click("[aria-label='Span of the live charts'] button", "1 min");
          browser.see("canvas[aria-label^='History']");
        }
        case "new-rule" -> {
          browser.write("Name", "search_guard");
          browser.write("Values of condition 1", "/api/search");
          browser.write("Limit 1", "10/m");
          browser.see(".verdict");
        }
        case "rule" -> browser.see(".verdict");
        case "client" -> {
          browser.write("Path", "/api/search");
          browser.click("main form button", "Explain");
          browser.see(".why");
          browser.run("window.scrollTo(0, 0)");
        }
        case "backtest" -> {
          browser.write(
              "Text of a weir.toml",
              """
              [default]
              limit = "200/m"

              [[rule]]
              name = "search"
              match = { path = "/api/search" }
              limits = ["40/m"]
              """);
          browser.click("button[type=submit]", "Run backtest");
          browser.see("canvas");
        }
        default -> {}
      }
      take(page.name());
    }
    show("keys");
    browser.click("main header button", "New key");
    browser.write("User", "carol");
    browser.click("dialog button[type=submit]");
    browser.see("dialog .secret");
    take("new-key");
    browser.click("dialog button", "I have kept it");
  }

  @Test
  void ofTheDarkThemeAndAPhone() throws IOException {
    browser.prefer("dark");
    for (SamplePage page : SamplePage.ALL.subList(0, 2)) {
      showFilled(page);
      if (page.name().equals("overview")) {
        browser.click("[aria-label='Span of the live charts'] button", "1 min");
        browser.see("canvas[aria-label^='History']");
      }
      take(page.name() + "-dark");
    }
    browser.prefer("light");
    browser.size(Browser.PHONE);
    for (SamplePage page : SamplePage.ALL) {
      if (page.name().equals("overview")
          || page.name().equals("rules")
          || page.name().equals("client")) {
        showFilled(page);
        take(page.name() + "-phone");
      }
    }
    browser.size(Browser.DESK);
  }

  @Test
  void ofTheLogin() throws IOException {
    browser.click(".foot button", "Sign out");
    browser.see(".login h1");
    take("login");
    signIn(WatchedServer.ADMIN_TOKEN);
  }
}
