package dev.weir.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.http.BlockingHttpClient;
import org.junit.jupiter.api.Test;

/** API keys: made and shown once, used, revoked. */
class KeysIT extends DashboardContext {

  private String make(String user, String name) {
    show("keys");
    browser.click("main header button", "New key");
    browser.write("User", user);
    browser.write("Name", name);
    browser.write("Limits of its own", "7/m");
    browser.click("dialog button[type=submit]");
    String key = browser.see("dialog .secret").getText();
    browser.click("dialog button", "I have kept it");
    return key;
  }

  @Test
  void isMadeAndUsed() {
    String key = make("grace", "laptop");

    BlockingHttpClient.Response answer = server.withKey("/with/key", key);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("x-ratelimit-limit")).isEqualTo("7");
    browser.see("main tbody tr", "laptop");
    browser.see("main tbody a", "user:grace");
  }

  @Test
  void isShownOnce() {
    String key = make("heidi", "once");
    browser.reload();
    browser.see("main tbody tr", "once");

    assertThat(browser.run("return document.documentElement.outerHTML"))
        .asString()
        .doesNotContain(key);
    assertThat(browser.count(".secret")).isZero();
  }

  @Test
  void isRevoked() {
    String key = make("ivan", "lost");
    browser.click("button[aria-label='Revoke lost']");
    browser.click("dialog button[type=submit]");

    told("lost is revoked");
    browser.until(
        "the key counts no more",
        () -> !server.withKey("/with/key", key).header("x-ratelimit-limit").equals("7"));
    browser.see("main tbody tr", "revoked");
  }

  @Test
  void areFoundByTheirUser() {
    make("judy", "hers");
    browser.see("input[type=search]").sendKeys("judy");

    browser.until(
        "only hers",
        () -> browser.texts("main tbody tr").stream().allMatch(row -> row.contains("user:judy")));
  }

  @Test
  void aLimitThatIsNoneIsTold() {
    show("keys");
    browser.click("main header button", "New key");
    browser.write("User", "ken");
    browser.write("Limits of its own", "many");
    browser.click("dialog button[type=submit]");

    browser.see("dialog .error", "limits");
    browser.click("dialog button", "Cancel");
  }
}
