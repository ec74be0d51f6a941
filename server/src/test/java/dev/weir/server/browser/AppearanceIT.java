package dev.weir.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.TestLevel;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

/** Every page can be read and used: in both themes, on a phone, by the keyboard, read aloud. */
class AppearanceIT extends DashboardContext {

  @BeforeAll
  void someTraffic() {
    SampleTraffic.on(server).configure();
    SampleTraffic.on(server).send(200);
  }

  static List<SamplePage> pages() {
    return SamplePage.ALL;
  }

  @AfterEach
  void backToTheDesk() {
    browser.size(Browser.DESK);
    browser.prefer("light");
  }

  private void showFilled(SamplePage page) {
    show(page.address());
    page.sign().forEach(sign -> browser.see("main", sign));
    browser.until("all is loaded", () -> browser.count("main .bone") == 0);
  }

  @ParameterizedTest
  @MethodSource("pages")
  void nobodyIsKeptOutInEitherThemeOrOnAPhone(SamplePage page) {
    showFilled(page);
    assertThat(Axe.violations(browser)).as("%s, light", page).isEmpty();
    browser.prefer("dark");
    browser.until("dark", () -> theme().equals("dark"));
    assertThat(Axe.violations(browser, rules("color-contrast"))).as("%s, dark", page).isEmpty();

    browser.size(Browser.PHONE);
    browser.until(
        "the page is no wider than the phone",
        () ->
            Long.valueOf(Browser.PHONE.width)
                .equals(browser.run("return document.documentElement.scrollWidth")));
    assertThat(Axe.violations(browser, rules("target-size", "scrollable-region-focusable")))
        .as("%s, phone", page)
        .isEmpty();
  }

  /** The rules that a theme or a size can break; all rules at the long level. */
  private static List<String> rules(String... depend) {
    return TestLevel.isLong() ? List.of() : List.of(depend);
  }

  @Test
  void dialogsKeepNobodyOut() {
    show("clients");
    browser.click("main button", "Block a client");
    browser.see("dialog h2");
    assertThat(Axe.violations(browser)).isEmpty();
    browser.press(Keys.ESCAPE);
    show("keys");
    browser.click("main header button", "New key");
    browser.see("dialog h2");
    assertThat(Axe.violations(browser)).isEmpty();
    browser.press(Keys.ESCAPE);
  }

  @Test
  void theThemeIsThatOfTheSystemUntilOneIsChosen() {
    show("overview");
    browser.prefer("dark");
    browser.until("dark", () -> theme().equals("dark"));
    browser.prefer("light");
    browser.until("light", () -> theme().equals("light"));

    browser.click("button[aria-label='Use the dark theme']");
    assertThat(theme()).isEqualTo("dark");
    browser.reload();
    browser.see(".tile");
    assertThat(theme()).isEqualTo("dark");
    browser.click("button[aria-label='Use the light theme']");
    assertThat(theme()).isEqualTo("light");
    browser.run("localStorage.clear()");
    browser.reload();
    browser.see(".tile");
  }

  private String theme() {
    return String.valueOf(browser.run("return document.documentElement.dataset.theme"));
  }

  @Test
  void theKeyboardReachesEverything() {
    show("overview");
    browser.reload();
    browser.see(".tile");
    browser.press(Keys.TAB);
    assertThat(focused()).contains("Skip to the content");
    browser.press(Keys.ENTER);
    assertThat(browser.run("return document.activeElement.id")).isEqualTo("main");

    browser.see(".nav a", "API keys").sendKeys(Keys.ENTER);
    browser.see("main h1", "API keys");
    browser.see("main header button", "New key").sendKeys(Keys.ENTER);
    browser.see("dialog h2");
    assertThat(
            browser.run("return document.querySelector('dialog').contains(document.activeElement)"))
        .isEqualTo(true);
    browser.press(Keys.ESCAPE);
    browser.until("the dialog is closed", () -> browser.count("dialog") == 0);
    assertThat(focused()).contains("New key");
  }

  private String focused() {
    return String.valueOf(browser.run("return document.activeElement.innerText"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"overview", "rules", "clients", "keys", "audit", "policy", "backtest"})
  void thePageIsThereBeforeItsContent(String page) {
    browser.open(server.url() + "#/" + page);
    browser.reload();

    assertThat(browser.count(".shell, .bone")).as("something is shown at once").isPositive();
    browser.see("main h1");
  }

  @Test
  void loadsLittleAndOnlyFromHere() {
    browser.open(server.url());
    browser.run("performance.setResourceTimingBufferSize(1000)");
    SamplePage.ALL.forEach(this::showFilled);
    List<?> loaded =
        browser.list(
            """
                return [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
                    .filter((entry) => !entry.name.includes("/v1/"))
                    .map((entry) => [entry.name, entry.encodedBodySize]);
                """);

    long bytes = loaded.stream().mapToLong(entry -> (Long) ((List<?>) entry).get(1)).sum();
    assertThat(loaded).hasSizeGreaterThan(20);
    assertThat(loaded)
        .allSatisfy(
            entry -> assertThat(((List<?>) entry).get(0)).asString().startsWith(server.url()));
    assertThat(bytes).as("compressed, of %s", loaded).isPositive().isLessThan(300_000);
  }
}
