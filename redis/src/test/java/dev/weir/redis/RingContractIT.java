package dev.weir.redis;

import dev.weir.testkit.redis.RedisServer;
import java.util.List;

/** The contract on three servers that know nothing of each other. */
class RingContractIT extends RedisContract {
  RingContractIT() {
    super(new Three(), three -> new RedisTopology.Ring(three.uris()), Amount.SMALL);
  }

  private record Three(List<RedisServer> servers) implements AutoCloseable {
    Three() {
      this(List.of(RedisServer.start(), RedisServer.start(), RedisServer.start()));
    }

    List<String> uris() {
      return servers.stream().map(RedisServer::uri).toList();
    }

    @Override
    public void close() {
      servers.forEach(RedisServer::close);
    }
  }
}
