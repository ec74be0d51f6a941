package dev.weir.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The policy that holds, and a file that is wrong. */
class PolicyIT extends DashboardContext {

  @AfterEach
  void putTheFileBack() {
    server.write(WatchedServer.CONFIG);
    server.change("POST", "v1/admin/policy/reload", "");
  }

  @Test
  void showsEveryStepAndWhereItComesFrom() {
    server.change(
        "POST",
        "v1/admin/rules",
        "{\"name\": \"stored\", \"match\": {\"path\": \"/stored\"}, \"limits\": [\"5/m\"]}");
    show("policy");
    browser.see("main tbody tr", "stored");

    assertThat(browser.texts("main tbody tr"))
        .anyMatch(row -> row.contains("stored") && row.contains("database"))
        .anyMatch(row -> row.contains("no_admin") && row.contains("blocks") && row.contains("file"))
        .anyMatch(row -> row.contains("endpoint:search") && row.contains("20/h"))
        .anyMatch(row -> row.contains("tier:free:/api/reports/**"))
        .anyMatch(row -> row.contains("default") && row.contains("100/m"));
  }

  @Test
  void aMistakeIsShownWithItsLine() {
    server.write(WatchedServer.CONFIG + "\n[[rule]]\nname = \"wrong\"\nlimits = [\"5/parsec\"]\n");
    show("policy");
    browser.click("main button", "Reload file");

    long line = WatchedServer.CONFIG.lines().count() + 4;
    browser.see(".notice-bad .mistakes code", "weir.toml:%d:".formatted(line));
    browser.see(".notice-bad .mistakes", "parsec");
    assertThat(server.decision("/", "alice")).isEqualTo("allowed");
  }

  @Test
  void aReloadTakesEffect() {
    server.write(
        WatchedServer.CONFIG
            + "\n[[rule]]\nname = \"added\"\nmatch = { path = \"/added\" }\naction = \"block\"\n");
    show("policy");
    browser.click("main button", "Reload file");

    told("holds");
    browser.see("main tbody tr", "added");
    assertThat(server.decision("/added", "alice")).isEqualTo("blocked");
  }
}
