package dev.weir.server.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Looks for what keeps people from using a page, by the rules of axe-core. */
final class Axe {
  private static final String SCRIPT = script();

  private Axe() {}

  private static String script() {
    try (InputStream in = Axe.class.getResourceAsStream("/axe.min.js")) {
      return new String(Objects.requireNonNull(in, "axe.min.js").readAllBytes(), UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** What is serious or worse on the page that is shown: each with its rule and its places. */
  static List<String> violations(Browser browser) {
    return violations(browser, List.of());
  }

  /** The same for some rules only. */
  static List<String> violations(Browser browser, List<String> rules) {
    if (!Boolean.TRUE.equals(browser.run("return typeof axe === 'object'"))) {
      browser.run(SCRIPT);
    }
    Object found =
        browser.runAsync(
            """
            const [rules] = args;
            const options = { resultTypes: ["violations"], elementRef: false };
            if (rules.length > 0) options.runOnly = rules;
            const { violations } = await axe.run(document, options);
            return violations
                .filter(({ impact }) => impact === "serious" || impact === "critical")
                .map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => html + " " + failureSummary) }));
            """,
            rules);
    if (!(found instanceof List<?> list)) {
      throw new AssertionError("axe did not run: " + found);
    }
    return list.stream()
        .map(each -> (Map<?, ?>) each)
        .map(each -> each.get("id") + ": " + each.get("nodes"))
        .toList();
  }
}
