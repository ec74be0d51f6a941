package dev.weir.server.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of others, in the browser of somebody who is signed in, change nothing. */
@DisplayName("T71: requests from other sites")
class CrossSiteIT extends DashboardContext {

  /** A form that sends itself, and a script that asks, as the cookies of the visitor allow. */
  private static final String PAGE =
      """
      <!doctype html><title>evil</title><iframe name="sink" hidden></iframe>
      <form method="post" enctype="text/plain" target="sink" action="%1$sv1/admin/blocks">
        <input name='{"client": "user:victim", "reason": "' value='"}'>
      </form>
      <script>
        document.forms[0].submit();
        const ask = (method, path, body) =>
          fetch("%1$s" + path, { method, body, mode: "no-cors", credentials: "include" }).then(
            (answer) => answer.type + " " + answer.status, (error) => "failed");
        Promise.all([
          ask("POST", "v1/admin/blocks", '{"client": "user:victim"}'),
          ask("POST", "v1/admin/policy/reload"),
          ask("GET", "v1/admin/policy"),
        ]).then((answers) => { document.title = answers.join(); });
      </script>
      """;

  @AfterEach
  void comeBack() {
    browser.open(server.url());
    browser.see("main h1");
    browser.complaints();
  }

  /** The host of the other page: another site, and another port of the same site. */
  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1"})
  void cannotBlockAnybody(String host) throws IOException {
    HttpServer evil = HttpServer.create(new InetSocketAddress(InetAddress.getByName(host), 0), 0);
    byte[] page = PAGE.formatted(server.url()).getBytes(UTF_8);
    evil.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().add("Content-Type", "text/html");
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    evil.start();
    try {
      browser.open("http://%s:%d/".formatted(host, evil.getAddress().getPort()));
      browser.until(
          "the page has tried",
          () -> String.valueOf(browser.run("return document.title")).contains(","));
    } finally {
      evil.stop(0);
    }

    assertThat(server.get("v1/admin/blocks").get("items")).isEmpty();
    assertThat(server.get("v1/admin/acts?subject=block:user:victim").get("items")).isEmpty();
    assertThat(server.decision("/", "victim")).isEqualTo("allowed");
  }

  @Test
  void aCallOfOurOwnPageNeedsTheTokenOfTheSession() {
    String call =
        """
        const answer = await fetch("/v1/admin/blocks", {
          method: "POST", headers: args[0] ? { "X-CSRF-Token": args[0] } : {}, body: '{"client": "user:victim"}' });
        return answer.status;
        """;

    assertThat(browser.runAsync(call)).isEqualTo(403L);
    assertThat(browser.runAsync(call, "guessed")).isEqualTo(403L);
    assertThat(server.get("v1/admin/blocks").get("items")).isEmpty();
  }

  @Test
  void nobodyMayShowItInAFrame() {
    browser.run(
        """
        const frame = document.createElement("iframe");
        frame.src = "/";
        frame.id = "framed";
        document.body.append(frame);
        """);
    browser.until(
        "the browser refuses",
        () -> browser.complaints().stream().anyMatch(text -> text.contains("frame")));
  }
}
