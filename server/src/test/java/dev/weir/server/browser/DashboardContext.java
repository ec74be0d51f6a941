package dev.weir.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The browser of this JVM, and a service for one class of tests. Each test begins signed in as an
 * admin; none may leave behind an error of a script, or anything that the page's own security
 * policy has refused.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DashboardContext {
  @SuppressWarnings("NullAway.Init") // Set before the first test.
  WatchedServer server;

  @SuppressWarnings("NullAway.Init") // Set before the first test.
  Browser browser;

  @BeforeAll
  void start(@TempDir Path folder) {
    browser = Browser.likeNew();
    prepare(folder.resolve("data"));
    server = WatchedServer.start(folder, config());
    browser.open(server.url());
    signIn(WatchedServer.ADMIN_TOKEN);
  }

  /** Puts into the data folder of the service what is to be there before it starts. */
  void prepare(Path data) {}

  /** The text of the file that the service reads. */
  String config() {
    return WatchedServer.CONFIG;
  }

  @AfterAll
  @SuppressWarnings("ConstantValue") // Neither is there where the tests are skipped.
  void stop() {
    if (browser != null) {
      // Before the service is gone, which pages go on asking.
      browser.forget();
    }
    if (server != null) {
      server.close();
    }
  }

  @BeforeEach
  void forgetTheBrowsersLog() {
    browser.complaints();
  }

  @AfterEach
  void nothingWentWrongInTheBrowser() {
    assertThat(browser.complaints()).isEmpty();
  }

  /** Signs in on the page that is shown. */
  final void signIn(String token) {
    browser.write("Token", token);
    browser.click("button[type=submit]");
    browser.see("nav.nav");
  }

  /** Shows a page of the dashboard, as it is when one comes to it. */
  final void show(String page) {
    boolean isShown =
        Boolean.TRUE.equals(browser.run("return location.hash === arguments[0]", "#/" + page));
    if (isShown) {
      browser.reload();
    } else {
      browser.run("location.hash = arguments[0]", "#/" + page);
    }
    browser.see("main h1");
  }

  /** Waits for a message. */
  final void told(String text) {
    browser.see(".toast", text);
  }
}
