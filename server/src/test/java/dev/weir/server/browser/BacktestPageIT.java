package dev.weir.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Another policy on past requests, from the page. */
class BacktestPageIT extends DashboardContext {

  @Test
  void saysWhatWouldHaveBeen() {
    for (int i = 0; i < 40; i++) {
      server.check("/shop", "alice", "203.0.113.7");
    }
    show("backtest");
    browser.write("Text of a weir.toml", "[default]\nlimit = \"10/h fixed_window\"\n");
    browser.click("button[type=submit]", "Run backtest");

    browser.see(".tile", "Newly refused");
    browser.see("[aria-label='Clients hurt most'] td", "user:alice");
    browser.see("[aria-label='By rule'] td", "default");
    assertThat(browser.see("main canvas").getDomAttribute("aria-label"))
        .contains("would have been allowed");
    assertThat(server.decision("/shop", "alice")).isEqualTo("allowed");
  }

  @Test
  void mistakesOfTheTextHaveTheirPlace() {
    show("backtest");
    browser.write("Text of a weir.toml", "[default]\nlimit = \"10/parsec\"\n");
    browser.click("button[type=submit]", "Run backtest");

    browser.see(".notice-bad .mistakes", "parsec");
    browser.see(".notice-bad .mistakes code", ":2:");
  }

  @Test
  void beginsWithWhatTheDatabaseHas() {
    server.change(
        "POST",
        "v1/admin/rules",
        "{\"name\": \"stored\", \"match\": {\"path\": \"/stored\"}, \"limits\": [\"5/m\"]}");
    show("backtest");
    browser.click("main button", "What the database has");

    browser.until(
        "the text of the rule",
        () ->
            String.valueOf(browser.field("Text of a weir.toml").getDomProperty("value"))
                .contains("name = \"stored\""));
  }
}
