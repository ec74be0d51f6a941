package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CountersTest {
  @ParameterizedTest
  @CsvSource({
    "redis://localhost:6379/1, redis, '', /1",
    "rediss://user:p%40ss@host:1, rediss, user:p%40ss@, ''",
    "redis://:secret@host:1/3, redis, :secret@, /3",
    "redis://a:b/c@host:1/3, redis, a:b/c@, /3",
  })
  void membersTakeOverWhatTheUrlSaysBesideTheHost(
      String url, String scheme, String credentials, String database) {
    assertThat(Counters.UrlParts.of(url))
        .isEqualTo(new Counters.UrlParts(scheme, credentials, database));
  }
}
