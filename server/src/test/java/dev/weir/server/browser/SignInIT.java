package dev.weir.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Cookie;
import org.openqa.selenium.Dimension;

/** Signing in and out, by either token, and what a reader may do. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SignInIT extends DashboardContext {

  private void signOut() {
    browser.click(".foot button", "Sign out");
    browser.see(".login");
  }

  @Test
  @Order(1)
  void theSessionIsOutOfReachOfScripts() {
    Cookie session = Objects.requireNonNull(browser.cookie("weir_session"));
    assertThat(session.isHttpOnly()).isTrue();
    assertThat(session.getSameSite()).isEqualTo("Strict");
    assertThat(browser.run("return document.cookie")).isEqualTo("");
    assertThat(browser.run("return JSON.stringify({...localStorage, ...sessionStorage})"))
        .asString()
        .doesNotContain(WatchedServer.ADMIN_TOKEN);
  }

  @Test
  @Order(2)
  void aSessionOutlivesAReload() {
    show("keys");
    browser.reload();

    browser.see("main h1", "API keys");
  }

  @Test
  @Order(3)
  void signingOutEndsTheSession() {
    signOut();
    browser.reload();

    browser.see(".login h1", "Sign in to Weir");
    assertThat(browser.runAsync("return (await fetch('/v1/admin/policy')).status")).isEqualTo(401L);
  }

  @Test
  @Order(4)
  void aWrongTokenIsToldAtItsField() {
    browser.write("Token", "wrong");
    browser.click("button[type=submit]");

    browser.see(".field .error", "neither the admin token nor the read token");
    assertThat(browser.field("Token").getDomAttribute("aria-invalid")).isEqualTo("true");
  }

  @Test
  @Order(5)
  void theLoginKeepsNobodyOut() {
    for (Dimension size : List.of(Browser.DESK, Browser.PHONE)) {
      browser.size(size);
      for (String theme : List.of("dark", "light")) {
        browser.prefer(theme);
        browser.reload();
        browser.see(".login h1");
        assertThat(Axe.violations(browser)).as("%s, %s", size, theme).isEmpty();
        assertThat(browser.run("return document.documentElement.scrollWidth"))
            .isEqualTo((long) size.width);
      }
    }
    browser.size(Browser.DESK);
  }

  @Test
  @Order(6)
  void aReaderSeesEverythingAndChangesNothing() {
    signIn(WatchedServer.READ_TOKEN);

    browser.see(".foot .badge", "read only");
    for (String page : new String[] {"rules", "clients", "keys", "policy"}) {
      show(page);
      browser.until(
          page + " has a change that is disabled",
          () ->
              browser.count("main button:disabled[title='The read token may not change anything']")
                  > 0);
      assertThat(browser.count("main .notice-bad")).as(page).isZero();
    }
  }

  @Test
  @Order(7)
  void aReaderIsRefusedByTheServerToo() {
    Object status =
        browser.runAsync(
            """
            const { csrf } = await (await fetch("/v1/session")).json();
            const answer = await fetch("/v1/admin/blocks", {
              method: "POST",
              headers: { "X-CSRF-Token": csrf },
              body: JSON.stringify({ client: "user:alice" }),
            });
            return answer.status;
            """);

    assertThat(status).isEqualTo(403L);
    assertThat(server.get("v1/admin/blocks").get("items")).isEmpty();
  }

  @Test
  @Order(8)
  void aSessionThatHasEndedLeadsToTheLogin() {
    browser.runAsync(
        """
        const { csrf } = await (await fetch("/v1/session")).json();
        await fetch("/v1/session", { method: "DELETE", headers: { "X-CSRF-Token": csrf } });
        """);
    show("clients");

    browser.see(".login .notice", "The session has ended");
    signIn(WatchedServer.ADMIN_TOKEN);
    browser.see("main h1", "Clients");
  }

  @Test
  @Order(9)
  void withoutATokenThereIsNoLogin(@TempDir Path folder) {
    try (WatchedServer open = WatchedServer.startWithoutTokens(folder)) {
      browser.open(open.url());
      browser.see("main h1", "Overview");
      assertThat(browser.texts(".foot button")).noneMatch(text -> text.contains("Sign out"));
      browser.run("location.hash = '#/clients'");
      browser.click("main button", "Block a client");
      browser.write("Client", "user:mallory");
      browser.click("dialog button[type=submit]");
      told("user:mallory is blocked");
      assertThat(open.decision("/", "mallory")).isEqualTo("blocked");
    }
    browser.open(server.url());
    browser.see("main h1");
  }
}
