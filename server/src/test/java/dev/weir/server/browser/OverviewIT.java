package dev.weir.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What happens now. */
class OverviewIT extends DashboardContext {
  private static final Pattern REFUSED = Pattern.compile("(\\d+) of (\\d+)");

  @Test
  void followsWhatIsDecided() {
    for (int i = 0; i < 30; i++) {
      server.decision("/api/search", "alice");
      server.decision("/admin", "bob");
    }
    show("overview");

    browser.until("40 and more of 60 and more are refused", () -> refused() >= 40 && all() >= 60);
    browser.see(".tile", "Ready");
    browser.see("[aria-label='Clients refused most'] td", "user:alice");
    browser.see("[aria-label='Busiest endpoints'] td", "search");
    String summary = browser.see("main canvas").getDomAttribute("aria-label");
    assertThat(summary).startsWith("Requests each second, now");
  }

  private int refused() {
    return figure(1);
  }

  private int all() {
    return figure(2);
  }

  /** A number of the tile that says how many of how many are refused; 0 before it is there. */
  private int figure(int group) {
    Matcher matcher = REFUSED.matcher(String.join(" ", browser.texts(".tile")));
    return matcher.find() ? Integer.parseInt(matcher.group(group)) : 0;
  }

  @Test
  void restsWhileNobodyLooks() {
    show("overview");
    browser.see(".tile");
    // Timers are fast from here on, and count how often they have run.
    browser.run(
        """
        Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
        document.dispatchEvent(new Event("visibilitychange"));
        const { fetch, setTimeout } = window;
        window.calls = 0;
        window.ticks = 0;
        window.fetch = (...call) => {
          window.calls++;
          return fetch(...call);
        };
        window.setTimeout = (task) =>
          setTimeout(() => {
            window.ticks++;
            task();
          }, 10);
        """);
    browser.until("timers have run", () -> number("ticks") >= 20);

    assertThat(number("calls")).isZero();
    browser.run("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))");
    browser.until("the page asks again", () -> number("calls") > 0);
    browser.reload();
  }

  private long number(String variable) {
    return ((Number) Objects.requireNonNull(browser.run("return window." + variable))).longValue();
  }

  @Test
  void aRefusedClientLeadsToItsPage() {
    for (int i = 0; i < 30; i++) {
      server.decision("/api/search", "carol");
    }
    show("overview");
    browser.click("[aria-label='Clients refused most'] a", "user:carol");

    browser.see("main h1", "user:carol");
  }
}
