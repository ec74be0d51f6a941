package dev.weir.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a client can influence is text on every page, though it looks like markup. */
@DisplayName("T71: markup of clients")
class HostileTextIT extends DashboardContext {
  private static final String MARKUP =
      "<img src=x onerror=window.hacked=1>\"'><script>window.hacked=1</script>";

  private static final String SHOWN = "<img src=x onerror=window.hacked=1>";

  /** Methods have neither blanks nor small letters. */
  private static final String METHOD = "<SVG/ONLOAD=HACKED=1>";

  private static final String CLIENT =
      "%3Cimg%20src%3Dx%20onerror%3Dwindow.hacked%3D1%3E%22'%3E%3Cscript%3Ewindow.hacked%3D1%3C%2Fscript%3E";

  @BeforeEach
  void sendMarkup() {
    if (server.get("v1/admin/blocks").get("items").size() > 0) {
      return;
    }
    // Requests: the path, the method, the user, the tier and the id of the key.
    ObjectNode request = WatchedServer.object();
    request.put("path", "/api/search?q=" + MARKUP);
    request.put("method", METHOD);
    request.put("user", MARKUP);
    request.put("tier", MARKUP);
    request.put("key", MARKUP);
    request.put("ip", "203.0.113.66");
    request.putObject("headers").put("x-client", MARKUP);
    for (int i = 0; i < 25; i++) {
      server.change("POST", "v1/check", request);
    }
    server.change("POST", "v1/check", request.deepCopy().put("path", "/" + encoded(MARKUP)));
    // What somebody else writes into the configuration.
    server.change(
        "POST",
        "v1/admin/blocks",
        WatchedServer.object().put("client", "user:" + MARKUP).put("reason", MARKUP));
    server.change(
        "POST",
        "v1/admin/exemptions",
        WatchedServer.object().put("client", "user:b" + MARKUP).put("reason", MARKUP));
    server.change(
        "POST",
        "v1/admin/keys",
        WatchedServer.object().put("user", MARKUP).put("name", MARKUP).put("tier", "free"));
    ObjectNode rule = WatchedServer.object();
    rule.put("name", "hostile");
    rule.putArray("limits").add("5/m");
    rule.putObject("match").put("user", MARKUP).putObject("header").put("x-client", MARKUP);
    rule.putObject("response").put("message", MARKUP);
    server.change("POST", "v1/admin/rules", rule);
  }

  private static String encoded(String text) {
    return text.replace("<", "%3C")
        .replace(">", "%3E")
        .replace("\"", "%22")
        .replace("/", "")
        .replace(" ", "%20");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "overview",
        "rules",
        "rules/hostile",
        "clients",
        "clients/user%3A" + CLIENT,
        "keys",
        "audit",
        "audit/acts",
        "policy",
      })
  void isShownAsText(String page) {
    show(page);
    browser.until(
        "the text is on the page",
        () ->
            String.valueOf(
                    browser.run(
                        "return document.body.innerText + [...document.querySelectorAll('input')]"
                            + ".map((field) => field.value).join()"))
                .contains(SHOWN));

    assertThat(browser.run("return window.hacked ?? window.HACKED")).isNull();
    assertThat(browser.count("img[src='x'], main script, main [onerror], main [onload]")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"audit", "clients/user%3A" + CLIENT})
  void soIsAMethod(String page) {
    show(page);

    browser.see("main", METHOD);
    assertThat(browser.run("return window.HACKED")).isNull();
    assertThat(browser.count("main [onload]")).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "clients/" + CLIENT,
        CLIENT,
        "rules/" + CLIENT,
        "clients/javascript%3Awindow.hacked%3D1",
        "clients/%E0%A4%A",
      })
  void anAddressThatIsMarkupIsTextToo(String page) {
    show(page);
    browser.see("main .notice-bad, main .empty, main h1");

    assertThat(browser.run("return window.hacked")).isNull();
    assertThat(browser.count("img[src='x'], main script")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"overview", "clients", "audit", "keys"})
  void linksOfClientsStayOnThisPage(String page) {
    show(page);
    browser.see("main a");

    List<?> others =
        browser.list(
            "return [...document.querySelectorAll('a')].map((a) => a.href)"
                + ".filter((href) => new URL(href).origin !== location.origin)");
    assertThat(others).isEmpty();
  }
}
