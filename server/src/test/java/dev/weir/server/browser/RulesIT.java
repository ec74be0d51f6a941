package dev.weir.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** Rules, from the first letter typed to requests that they refuse. */
class RulesIT extends DashboardContext {

  @BeforeEach
  @AfterEach
  void removeRules() {
    server
        .get("v1/admin/rules")
        .get("items")
        .forEach(
            rule -> {
              if (rule.get("source").asText().equals("database")) {
                server.change("DELETE", "v1/admin/rules/" + rule.get("name").asText(), "");
              }
            });
  }

  private void store(String name, int priority) {
    server.change(
        "POST",
        "v1/admin/rules",
        "{\"name\": \"%s\", \"priority\": %d, \"match\": {\"path\": \"/%s\"}, \"limits\": [\"5/m\"]}"
            .formatted(name, priority, name));
  }

  private String names() {
    return String.join(" ", browser.texts("main .rule-name > a"));
  }

  @Test
  void saysWhatToDoWhereThereAreNone() {
    show("rules");

    browser.see(".empty", "No rules in the database yet");
    browser.see(".rule-name", "no_admin");
    browser.see("main .badge", "file");
  }

  @Test
  void isMadeAndEnforcedAndChanged() {
    show("rules");
    browser.click("main header button", "New rule");
    browser.write("Name", "login");
    browser.write("Values of condition 1", "/login");
    browser.write("Limit 1", "2/h fixed_window");
    browser.see(".badge", "valid");
    browser.click("button[type=submit]", "Create rule");

    told("login is saved");
    assertThat(server.decision("/login", "alice")).isEqualTo("allowed");
    assertThat(server.decision("/login", "alice")).isEqualTo("allowed");
    assertThat(server.decision("/login", "alice")).isEqualTo("throttled");

    browser.see("main h1", "login");
    browser.write("Limit 1", "3/h fixed_window");
    browser.click("button[type=submit]", "Save rule");
    browser.see(".change", "rule.update");
    browser.see(".change del", "2/h");
    browser.see(".change ins", "3/h");
    assertThat(server.decision("/login", "alice")).isEqualTo("allowed");
    assertThat(server.decision("/login", "alice")).isEqualTo("throttled");
    browser.see(".change", "rule.create");
  }

  @Test
  void mistakesAreToldWhileOneTypes() {
    show("new-rule");
    browser.write("Name", "no spaces please");
    browser.see(".field .error", "name");
    assertThat(browser.see("button[type=submit]", "Create rule").isEnabled()).isFalse();

    browser.write("Name", "fine");
    browser.write("Limit 1", "5/parsec");
    browser.see(".lines .error", "parsec");
    browser.write("Limit 1", "5/m");
    browser.choose("Kind of condition 1", "ip");
    browser.write("Values of condition 1", "10.0.0.0/99");
    browser.see(".lines .error", "prefix");
    browser.write("Values of condition 1", "10.0.0.0/8");
    browser.see(".badge", "valid");
    assertThat(server.get("v1/admin/rules").toString()).doesNotContain("fine");
  }

  @Test
  void aPreviewSaysWhatItWouldHaveRefused() {
    for (int i = 0; i < 10; i++) {
      server.check("/preview", "bob", "203.0.113.9");
    }
    show("new-rule");
    browser.write("Name", "preview");
    browser.write("Values of condition 1", "/preview");
    browser.write("Limit 1", "4/h fixed_window");

    browser.see(".verdict", "would have been refused");
    browser.see(".editor-side .small", "6 newly refused");
    browser.see(".editor-side a", "user:bob");
    assertThat(server.get("v1/admin/rules").toString()).doesNotContain("preview");
  }

  @Test
  void isSwitchedOffAndTriedInTheShadow() {
    server.change(
        "POST",
        "v1/admin/rules",
        "{\"name\": \"closed\", \"match\": {\"path\": \"/closed\"}, \"action\": \"block\"}");
    show("rules");
    assertThat(server.decision("/closed", "alice")).isEqualTo("blocked");

    browser.click("input[aria-label='closed is enabled']");
    told("closed: enabled is now false");
    assertThat(server.decision("/closed", "alice")).isEqualTo("allowed");
    browser.click("input[aria-label='closed is enabled']");
    told("closed: enabled is now true");
    browser.click("input[aria-label='closed is only tried, in shadow mode']");
    told("closed: mode is now shadow");
    assertThat(server.decision("/closed", "alice")).isEqualTo("allowed");
  }

  @Test
  void comesFirstWhenDraggedToTheTop() {
    store("first", 300);
    store("second", 200);
    store("third", 100);
    show("rules");
    browser.see(".rule-name", "third");
    assertThat(names()).isEqualTo("no_admin first second third");

    browser.drag(
        browser.see("[title='Drag third to its place']"),
        browser.see("[title='Drag first to its place']"));

    told("third is now number 2 of 4");
    browser.until("third is above first", () -> names().equals("no_admin third first second"));
    assertThat(server.get("v1/admin/rules/third").get("priority").asInt()).isBetween(301, 899);
  }

  @Test
  void isMovedByTheKeyboard() {
    store("first", 300);
    store("second", 299);
    store("third", 298);
    show("rules");

    browser.see("button[aria-label='Move third up']").sendKeys(Keys.ENTER);

    told("third is now number 3 of 4");
    browser.until("third is above second", () -> names().equals("no_admin first third second"));
    browser.see("button[aria-label='Move first down']").sendKeys(Keys.SPACE);
    told("first is now number 3 of 4");
    browser.until("first is below third", () -> names().equals("no_admin third first second"));
  }

  @Test
  void countsWhatItHadASayIn() {
    store("counted", 300);
    for (int i = 0; i < 7; i++) {
      server.decision("/counted", "carol");
    }
    show("rules");

    browser.until(
        "7 matched and 2 refused",
        () ->
            browser.texts("main tbody tr").stream()
                .anyMatch(
                    row -> row.contains("counted") && row.matches("(?s).*300\\s+7\\s+2\\b.*")));
  }

  @Test
  void whatSomebodyElseHasChangedIsNotOverwritten() {
    store("shared", 300);
    show("rules/shared");
    browser.field("Priority");
    server.change(
        "PUT",
        "v1/admin/rules/shared",
        "{\"priority\": 400, \"match\": {\"path\": \"/shared\"}, \"limits\": [\"9/m\"]}");
    browser.write("Limit 1", "6/m");

    browser.see(".notice-bad", "version of rule:shared must be 2");
    assertThat(browser.see("button[type=submit]", "Save rule").isEnabled()).isFalse();
    assertThat(server.get("v1/admin/rules/shared").get("limits").get(0).asText()).isEqualTo("9/m");
  }

  @Test
  void isDeletedAfterAQuestion() {
    store("doomed", 300);
    show("rules");
    browser.click("button[aria-label='Delete doomed']");
    browser.see("dialog h2", "Delete doomed?");
    browser.press(Keys.ESCAPE);
    browser.until("the dialog is closed", () -> browser.count("dialog") == 0);
    browser.click("button[aria-label='Delete doomed']");
    browser.click("dialog button[type=submit]");

    told("doomed is deleted");
    assertThat(server.get("v1/admin/rules").toString()).doesNotContain("doomed");
  }
}
