package dev.weir.conformance;

import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Sends random requests to a server and writes a table with its responses, so that other servers
 * can be compared with it without running it. Needs a server whose clock can be set: a response
 * tells the seconds until the window ends.
 */
final class Recording {
  private static final String INDENT = "      ";

  private final Run run;
  private final List<Case> cases;

  Recording(Run run, List<Case> cases) {
    this.run = run;
    this.cases = cases;
    if (run.clock.isReal()) {
      throw new IllegalArgumentException("a recording needs a clock that can be set");
    }
  }

  /**
   * Records all cases.
   *
   * @param about what the table says it is about
   * @return the text of the table
   * @throws IllegalStateException if the server cannot be reached, or answers with an error
   */
  String record(String about) {
    StringBuilder table = new StringBuilder("about: " + about + "\ncases:\n");
    ConfigFolder.prepare(run.configFolder, cases);
    try (Connection connection = new Connection(run.target)) {
      new ConfigFolder(run, connection).awaitServer(true);
      for (Case each : cases) {
        record(each, connection, table);
      }
    }
    return table.toString();
  }

  private void record(Case of, Connection connection, StringBuilder table) {
    table.append("  - name: ").append(of.name()).append('\n');
    table.append("    why: recorded\n");
    if (!of.settings().isEmpty()) {
      table.append("    settings: [").append(String.join(", ", of.settings())).append("]\n");
    }
    if (of.alignSeconds() != Unit.DAY.seconds()) {
      table.append("    align: ").append(Unit.lasting(of.alignSeconds())).append('\n');
    }
    table.append("    config: |\n");
    of.files()
        .getOrDefault("", "")
        .lines()
        .forEach(line -> table.append(INDENT).append(line).append('\n'));
    table.append("    steps:\n");
    long start = (run.clock.nowSeconds() / of.alignSeconds() + 1) * of.alignSeconds();
    long last = 0;
    for (Step step : of.steps()) {
      Step.Ask ask = (Step.Ask) step;
      run.clock.advanceTo(start + ask.at());
      Reply reply = connection.ask(Messages.request(ask));
      if (!(reply instanceof Reply.Answer answer)) {
        throw new IllegalStateException("%s: got %s".formatted(of.name(), reply));
      }
      table.append(INDENT).append("- {");
      table.append(ask.at() == last ? "" : "at: " + ask.at() + ", ");
      last = ask.at();
      table.append(ask.domain().equals(of.name()) ? "" : "domain: " + ask.domain() + ", ");
      table.append(ask.hits() == 0 ? "" : "hits: " + ask.hits() + ", ");
      table.append("descriptors: [");
      table.append(
          ask.descriptors().stream().map(RandomCases::yaml).collect(Collectors.joining(", ")));
      table.append("],\n").append(INDENT).append("   ");
      table.append(response(answer.response())).append("}\n");
    }
  }

  private static String response(RateLimitResponse response) {
    List<DescriptorStatus> statuses = response.getStatusesList();
    String text =
        statuses.stream()
            .map(Recording::status)
            .collect(Collectors.joining(", ", "statuses: [", "]"));
    boolean isOver = statuses.stream().anyMatch(each -> each.getCode() == Code.OVER_LIMIT);
    if (isOver != (response.getOverallCode() == Code.OVER_LIMIT)) {
      text += ", overall: " + response.getOverallCode();
    }
    return text + headers(response.getResponseHeadersToAddList());
  }

  private static String status(DescriptorStatus status) {
    StringBuilder text = new StringBuilder("{code: " + status.getCode());
    if (status.hasCurrentLimit()) {
      text.append(", limit: ").append(Comparison.limit(status.getCurrentLimit()));
    }
    if (status.getLimitRemaining() != 0) {
      text.append(", remaining: ").append(Integer.toUnsignedString(status.getLimitRemaining()));
    }
    if (status.hasDurationUntilReset()) {
      text.append(", reset: ").append(status.getDurationUntilReset().getSeconds());
    }
    return text.append('}').toString();
  }

  private static String headers(List<HeaderValue> list) {
    if (list.isEmpty()) {
      return "";
    }
    Map<String, String> values = new TreeMap<>();
    list.forEach(header -> values.put(header.getKey(), header.getValue()));
    return ", headers: {limit: %s, remaining: %s, reset: %s}"
        .formatted(
            values.get("RateLimit-Limit"),
            values.get("RateLimit-Remaining"),
            values.get("RateLimit-Reset"));
  }
}
