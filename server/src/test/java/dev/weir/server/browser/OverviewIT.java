package dev.weir.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

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
    browser.run(
        """
        Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
        document.dispatchEvent(new Event("visibilitychange"));
        """);
    Object asked =
        browser.runAsync(
            """
            const calls = () => performance.getEntriesByType("resource").filter((e) => e.name.includes("/live")).length;
            await new Promise((rest) => setTimeout(rest, 1200));
            const before = calls();
            await new Promise((rest) => setTimeout(rest, 2500));
            return calls() - before;
            """);
    browser.run("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))");

    assertThat(asked).isEqualTo(0L);
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
