package dev.weir.policy.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.config.RedisSettings.Topology;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisSettingsTest {
  private static final List<String> NODES = List.of("a:1", "b:2");

  private static List<String> uris(String url, Topology topology) {
    return new RedisSettings(
            url, topology, NODES, "mymaster", Duration.ofMillis(25), Duration.ofSeconds(2), "weir")
        .uris();
  }

  @ParameterizedTest
  @CsvSource({
    "redis://localhost:6379/1, redis://, /1",
    "rediss://user:p%40ss@host:1, rediss://user:p%40ss@, ''",
    "redis://:secret@host:1/3, redis://:secret@, /3",
    "redis://a:b/c@host:1/3, redis://a:b/c@, /3",
  })
  void membersTakeOverWhatTheUrlSaysBesideTheHost(String url, String start, String end) {
    assertThat(uris(url, Topology.SINGLE)).containsExactly(url);
    assertThat(uris(url, Topology.RING)).containsExactly(start + "a:1" + end, start + "b:2" + end);
    assertThat(uris(url, Topology.CLUSTER)).containsExactly(start + "a:1", start + "b:2");
    assertThat(uris(url, Topology.SENTINEL))
        .containsExactly(start.replace("://", "-sentinel://") + "a:1,b:2" + end + "#mymaster");
  }

  @Test
  void doesNotTellSecrets() {
    RedisSettings settings =
        new RedisSettings(
            "redis://user:hidden@host:1",
            Topology.SINGLE,
            List.of(),
            "",
            Duration.ofMillis(25),
            Duration.ofSeconds(2),
            "weir");
    assertThat(settings.toString()).doesNotContain("hidden");
  }
}
