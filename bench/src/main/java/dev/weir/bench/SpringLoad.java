package dev.weir.bench;

import java.util.List;
import java.util.stream.Stream;

/**
 * What a Spring application is asked for, and by how many clients.
 *
 * @param answer what it answers
 * @param clients how many ask for it
 */
record SpringLoad(Answer answer, int clients) {

  /** What there is to be asked for. */
  enum Answer {
    TEXT("12 bytes of text", "/api/v1/hello"),
    JSON("20 orders in JSON", "/api/v1/orders");

    private final String title;
    final String path;

    Answer(String title, String path) {
      this.title = title;
      this.path = path;
    }
  }

  /** All answers, for each of those numbers of clients. */
  static List<SpringLoad> all(List<Integer> clientCounts) {
    return Stream.of(Answer.values())
        .flatMap(answer -> clientCounts.stream().map(clients -> new SpringLoad(answer, clients)))
        .toList();
  }

  String title() {
    return answer.title + ", " + Page.grouped(clients) + " clients";
  }
}
