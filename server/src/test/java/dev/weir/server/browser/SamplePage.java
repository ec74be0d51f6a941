package dev.weir.server.browser;

import java.util.List;

/**
 * A page of the dashboard, with what has to be on it once it is filled.
 *
 * @param name of its picture
 * @param address what stands behind {@code #/}
 * @param sign texts that are on it
 */
record SamplePage(String name, String address, List<String> sign) {
  /** Every page, with what {@link SampleTraffic} leaves on it. */
  static final List<SamplePage> ALL =
      List.of(
          new SamplePage(
              "overview", "overview", List.of("Requests each second", "user:", "search")),
          new SamplePage("rules", "rules", List.of("no_admin", "burst_guard", "login")),
          new SamplePage("rule", "rules/burst_guard", List.of("Preview", "History of changes")),
          new SamplePage("new-rule", "new-rule", List.of("Applies to", "Preview")),
          new SamplePage("clients", "clients", List.of("user:mallory", "user:monitor")),
          new SamplePage("client", "clients/user%3Aalice", List.of("endpoint:search", "Quota")),
          new SamplePage("keys", "keys", List.of("laptop", "active")),
          new SamplePage("audit", "audit", List.of("throttled", "/api/search")),
          new SamplePage("acts", "audit/acts", List.of("rule.create")),
          new SamplePage("policy", "policy", List.of("endpoint:search", "default")),
          new SamplePage("backtest", "backtest", List.of("Policy to try")));

  @Override
  public String toString() {
    return name;
  }
}
