package dev.weir.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Clients: found, looked at, blocked, exempt, reset. */
class ClientsIT extends DashboardContext {

  private void useUp(String user) {
    for (int i = 0; i < 20; i++) {
      server.decision("/api/search", user);
    }
    assertThat(server.decision("/api/search", user)).isEqualTo("throttled");
  }

  @Test
  void isFoundByAPartOfItsName() {
    useUp("zacharias");
    show("clients");
    browser.see("input[type=search]").sendKeys("zacha");

    browser.see("main tbody tr", "user:zacharias");
    browser.see("main tbody .badge", "refused");
    browser.click("main tbody a", "user:zacharias");
    browser.see("main h1", "user:zacharias");
  }

  @Test
  void anybodyIsFoundByTheFullName() {
    show("clients");
    browser.see("input[type=search]").sendKeys("ip:203.0.113.250");
    browser.see("main tbody tr", "ip:203.0.113.250");
    browser.see("input[type=search]").submit();

    browser.see("main h1", "ip:203.0.113.250");
    browser.see(".empty", "Nothing is used");
  }

  @Test
  void isBlockedAndUnblocked() {
    assertThat(server.decision("/a", "mallory")).isEqualTo("allowed");
    show("clients/user%3Amallory");
    browser.click("main header button", "Block…");
    browser.write("Reason", "scraping");
    browser.click("dialog button[type=submit]");

    told("user:mallory is blocked");
    browser.see("main header .badge", "blocked");
    browser.see(".notice", "scraping");
    assertThat(server.decision("/a", "mallory")).isEqualTo("blocked");

    browser.click("main header button", "Unblock");
    told("user:mallory is no longer blocked");
    assertThat(server.decision("/a", "mallory")).isEqualTo("allowed");
  }

  @Test
  void isExempt() {
    useUp("monitor");
    show("clients/user%3Amonitor");
    browser.click("main header button", "Exempt…");
    browser.click("dialog button[type=submit]");

    told("user:monitor is exempt");
    assertThat(server.decision("/api/search", "monitor")).isEqualTo("allowed");
    browser.click("main header button", "Remove exemption");
    told("no longer exempt");
    assertThat(server.decision("/api/search", "monitor")).isEqualTo("throttled");
  }

  @Test
  void countersAreShownAndReset() {
    useUp("dora");
    show("clients/user%3Adora");
    browser.see("main td", "endpoint:search");
    browser.see("main td", "20 of 20");
    browser.click("main header button", "Reset counters…");
    browser.click("dialog button[type=submit]");

    told("the counters of user:dora are reset");
    assertThat(server.decision("/api/search", "dora")).isEqualTo("allowed");
  }

  @Test
  void decisionsAreShownWithTheirReason() {
    useUp("erika");
    show("clients/user%3Aerika");
    browser.see("[aria-label='Last decisions'] tbody tr", "the limit was used up");
    browser.see("[aria-label='Last decisions'] tbody tr", "endpoint:search");
    browser.click("[aria-label='Last decisions'] tbody button", "Explain");

    browser.see(".why", "throttled");
    browser.see(".walk li", "endpoint:search");
    browser.see(".walk li", "no_admin");
    browser.write("Path", "/api/orders/7");
    browser.click("main form button", "Explain");
    browser.see(".why", "tier:free");
  }

  @Test
  void aUserIsGivenAQuota() {
    show("clients/user%3Afrank");
    browser.click("main button", "Change…");
    browser.write("Tier", "pro");
    browser.write("Each month", "1000");
    browser.click("dialog button[type=submit]");

    told("the quota of frank is saved");
    browser.see("main", "0 of 1,000 this month");
    browser.see("main header .badge", "tier pro");
    assertThat(server.check("/", "frank", "203.0.113.7").get("limit").asInt()).isEqualTo(600);
  }

  @Test
  void whatIsWrongWithABlockIsTold() {
    show("clients");
    browser.click("main button", "Block a client");
    browser.write("Client", "nobody");
    browser.click("dialog button[type=submit]");

    browser.see("dialog .error", "client must be user:<id>, key:<id> or ip:");
    browser.click("dialog button", "Cancel");
  }
}
