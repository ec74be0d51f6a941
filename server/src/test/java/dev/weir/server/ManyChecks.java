package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Many decisions by one call, about long paths, so that they fill what they are kept in. */
final class ManyChecks {
  private static final String LONG = "x".repeat(500);

  private ManyChecks() {}

  /** Asks about paths numbered from there on, all of which must be allowed; says how many. */
  static int ask(Caller caller, String name, int first) {
    int count = CheckService.MOST_CHECKS;
    String body =
        IntStream.range(first, first + count)
            .mapToObj(n -> "{\"path\": \"/%s/%d/%s\"}".formatted(name, n, LONG))
            .collect(Collectors.joining(",", "[", "]"));
    Caller.Reply reply = caller.post("/v1/checks", body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(reply.body().split("\"allowed\": true", -1)).hasSize(count + 1);
    return count;
  }
}
