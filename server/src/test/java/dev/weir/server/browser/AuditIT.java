package dev.weir.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Decisions that were kept, and what admins have done. */
class AuditIT extends DashboardContext {

  @Test
  void isFiltered() {
    server.decision("/admin/a", "alice");
    server.decision("/b", "bob");
    show("audit");
    browser.see("main tbody tr", "user:alice");
    browser.see("main tbody tr", "user:bob");

    browser.choose("Decision", "blocked");
    browser.until(
        "only what was blocked",
        () ->
            browser.texts("main tbody tr").stream()
                .allMatch(row -> row.contains("user:alice") && row.contains("blocked")));
    browser.write("Client", "user:nobody");
    browser.see(".empty", "No kept decision matches");
    browser.click("main form button", "Clear");
    browser.see("main tbody tr", "user:bob");
  }

  @Test
  void isFollowed() {
    show("audit");
    browser.write("Client", "user:latecomer");
    browser.see(".empty");
    browser.click("main header input[role=switch]");
    server.decision("/late", "latecomer");

    browser.see("main tbody tr", "/late");
  }

  @Test
  void isExported() {
    server.decision("/exported", "carol");
    show("audit");
    browser.write("Client", "user:carol");
    browser.see("main tbody tr", "/exported");
    browser.see("a[download$=csv][href*=carol]");

    Object csv =
        browser.runAsync(
            "return await (await fetch(document.querySelector('a[download$=csv]').href)).text()");
    assertThat(csv).asString().contains("/exported").doesNotContain("user:alice");
    Object lines =
        browser.runAsync(
            "return await (await fetch(document.querySelector('a[download$=jsonl]').href)).text()");
    assertThat(lines).asString().startsWith("{").contains("user:carol");
  }

  @Test
  void goesOnForManyPages() {
    for (int i = 0; i < 120; i++) {
      server.check("/many", "user" + i, "203.0.113.7");
    }
    show("audit");
    browser.write("Rule", "tier:free");
    browser.see("main button", "Older decisions");
    browser.until("a page", () -> browser.count("main tbody tr") == 50);
    browser.click("main button", "Older decisions");

    browser.until("two pages", () -> browser.count("main tbody tr") == 100);
  }

  @Test
  void showsWhatAdminsHaveDone() {
    server.change("POST", "v1/admin/blocks", "{\"client\": \"user:dave\", \"reason\": \"spam\"}");
    show("audit/acts");

    browser.see(".change", "block:user:dave");
    browser.see(".change ins", "spam");
  }
}
