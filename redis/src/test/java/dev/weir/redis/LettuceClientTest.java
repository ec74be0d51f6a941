package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.Test;

class LettuceClientTest {

  @Test
  void attemptsOfAClosedClientFailInsteadOfThrowing() {
    LettuceClient client = new LettuceClient(RedisOptions.defaults());
    Connection.Factory server = client.at(RedisURI.create("redis://127.0.0.1:1"));
    client.close();

    assertThat(server.connect()).isCompletedExceptionally();
    assertThat(server.subscribe("channel", message -> {})).isCompletedExceptionally();
  }
}
