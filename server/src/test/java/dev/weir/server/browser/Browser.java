package dev.weir.server.browser;

import dev.weir.testkit.process.AtExit;
import dev.weir.testkit.process.Program;
import dev.weir.testkit.process.TemporaryFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.Cookie;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Chromium without a screen. What is looked for is waited for, since pages fill themselves. */
final class Browser {
  static final Dimension DESK = new Dimension(1280, 800);
  static final Dimension PHONE = new Dimension(390, 844);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** It warns that it does not know every version of Chromium by heart, which nobody asks of it. */
  private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

  static {
    SELENIUM.setLevel(Level.SEVERE);
  }

  /** One script in place of several calls for each element. */
  private static final String FIRST_VISIBLE =
      """
      const [selector, text] = arguments;
      return [...document.querySelectorAll(selector)].find((element) =>
          element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
              && element.getClientRects().length > 0
              && (element.innerText ?? element.textContent).includes(text)) ?? null;
      """;

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  private static @Nullable Browser shared;

  /**
   * The browser that all tests of this JVM share, as if it had just been started; where there is no
   * Chromium the test is skipped.
   */
  static synchronized Browser likeNew() {
    Browser browser = shared;
    if (browser == null) {
      browser = start(TemporaryFolder.create("chromium").path());
      AtExit.add(browser.driver::quit);
      shared = browser;
    }
    browser.forget();
    return browser;
  }

  /** Leaves the page, and forgets what pages have left behind and how they were to be shown. */
  void forget() {
    open("about:blank");
    driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
    driver.executeCdpCommand("Network.clearBrowserCache", Map.of());
    size(DESK);
    prefer("light");
    complaints();
  }

  private static Browser start(Path profile) {
    Program chromium = Program.orSkip("chromium");
    Program chromedriver = Program.orSkip("chromedriver");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(chromium.path().toFile());
    options.setCapability("goog:loggingPrefs", logs);
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
        "--force-color-profile=srgb",
        "--lang=en",
        "--user-data-dir=" + profile);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(chromedriver.path().toFile())
            .usingAnyFreePort()
            .build();
    return new Browser(new ChromeDriver(service, options));
  }

  /** Makes the page that large; phones also say that they are touched. */
  void size(Dimension size) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of(
            "width",
            size.width,
            "height",
            size.height,
            "deviceScaleFactor",
            1,
            "mobile",
            size.width < 600));
  }

  /** What the system is said to prefer: light or dark. */
  void prefer(String theme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", theme))));
  }

  void open(String url) {
    driver.get(url);
  }

  void reload() {
    driver.navigate().refresh();
  }

  String url() {
    return Objects.requireNonNull(driver.getCurrentUrl());
  }

  /** The element that a selector finds, once it is there and seen. */
  WebElement see(String selector) {
    return see(selector, "");
  }

  /** The element with that text, of those that a selector finds. */
  WebElement see(String selector, String text) {
    return await(selector + " with " + text, () -> (WebElement) run(FIRST_VISIBLE, selector, text));
  }

  /** How many elements there are now. */
  int count(String selector) {
    return ((Long)
            Objects.requireNonNull(
                run("return document.querySelectorAll(arguments[0]).length", selector)))
        .intValue();
  }

  /** The texts of all elements that a selector finds now. */
  List<String> texts(String selector) {
    return ((List<?>)
            Objects.requireNonNull(
                run(
                    """
                    return [...document.querySelectorAll(arguments[0])]
                        .map((element) => (element.innerText ?? element.textContent).trim());
                    """,
                    selector)))
        .stream().map(String::valueOf).toList();
  }

  /** Clicks on what a selector finds, once that is possible. */
  void click(String selector) {
    click(selector, "");
  }

  void click(String selector, String text) {
    onElement(
        () -> {
          until(text + " is enabled", () -> see(selector, text).isEnabled());
          see(selector, text).click();
        });
  }

  /** Pages draw themselves anew; what was found may be gone when it is used. */
  private static void onElement(Runnable use) {
    try {
      use.run();
    } catch (StaleElementReferenceException drawnAnew) {
      use.run();
    }
  }

  /** The control with that label. */
  WebElement field(String label) {
    String labelled = "//*[@id = //label[normalize-space() = '%s']/@for]".formatted(label);
    String named =
        "//*[@aria-label = '%s'][self::input or self::select or self::textarea]".formatted(label);
    return await(
        "the field " + label,
        () ->
            driver.findElements(By.xpath(labelled + " | " + named)).stream()
                .filter(WebElement::isDisplayed)
                .findFirst()
                .orElse(null));
  }

  /** Writes into the control with that label, in place of what is there. */
  void write(String label, String text) {
    WebElement field = field(label);
    field.sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.DELETE);
    field.sendKeys(text);
  }

  /** Chooses from the list with that label. */
  void choose(String label, String value) {
    WebElement list = field(label);
    list.findElement(By.cssSelector("option[value='" + value + "']")).click();
  }

  void press(CharSequence... keys) {
    new Actions(driver).sendKeys(keys).perform();
  }

  /** Drags one element to another. */
  void drag(WebElement from, WebElement to) {
    new Actions(driver).clickAndHold(from).moveToElement(to).release().perform();
  }

  /** The value of a script, which runs as one of the page. */
  @Nullable Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  /** The list that a script comes to. */
  List<?> list(String script) {
    if (run(script) instanceof List<?> list) {
      return list;
    }
    throw new AssertionError("no list: " + script);
  }

  /** The value that a promise comes to; {@code script} is the body of an async function. */
  @Nullable Object runAsync(String script, Object... arguments) {
    driver.manage().timeouts().scriptTimeout(PATIENCE);
    return driver.executeAsyncScript(
        "const done = arguments[arguments.length - 1];"
            + "(async (...args) => {"
            + script
            + "})(...arguments).then(done, (error) => done('failed: ' + error));",
        arguments);
  }

  byte[] screenshot() {
    return driver.getScreenshotAs(OutputType.BYTES);
  }

  @Nullable Cookie cookie(String name) {
    return driver.manage().getCookieNamed(name);
  }

  /** What the page did that it may not, or that it did not mean to: since the last look. */
  List<String> complaints() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .map(LogEntry::getMessage)
        .filter(
            text ->
                text.contains("Content Security Policy")
                    || text.contains("Uncaught")
                    || text.contains("Refused to"))
        .toList();
  }

  /** Waits until something is so. */
  void until(String what, BooleanSupplier isSo) {
    await(what, () -> isSo.getAsBoolean() ? Boolean.TRUE : null);
  }

  private <T> T await(String what, Supplier<@Nullable T> find) {
    return Awaitility.await(what)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .ignoreException(StaleElementReferenceException.class)
        .until(() -> Optional.ofNullable(find.get()), Optional::isPresent)
        .orElseThrow();
  }
}
