package dev.weir.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the roll-ups say, on the overview. */
class HistoryIT extends DashboardContext {

  @Override
  void prepare(Path data) {
    PastMetrics.fill(data);
  }

  @Test
  void goesBackAnHourADayAWeekAndAQuarter() {
    show("overview");
    for (String span : new String[] {"1 hour", "24 hours", "7 days", "90 days"}) {
      browser.click("[aria-label='Span of the history'] button", span);
      browser.see(
          "canvas[aria-label^='History over %s']:not([aria-label*=' 0 throttled'])"
              .formatted(span));
    }
  }

  @Test
  void addsUpWhatTheServerSays() {
    show("overview");
    browser.click("[aria-label='Span of the history'] button", "90 days");
    browser.see("canvas[aria-label^='History over 90 days']");
    Object sum =
        browser.runAsync(
            """
            const { steps } = await import("/dashboard/history.js");
            const day = 86400000;
            const from = (Math.floor(Date.now() / day) - 89) * day;
            const answer = await fetch("/v1/admin/stats/history?granularity=day&from=" + new Date(from).toISOString());
            const { rows } = await answer.json();
            const columns = steps(rows, from, { steps: 90, millis: day });
            const all = (list) => list.reduce((a, b) => a + b, 0);
            return all(columns.allowed) - all(rows.map((row) => row.allowed_requests));
            """);

    assertThat(sum).isEqualTo(0L);
  }
}
