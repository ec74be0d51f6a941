package dev.weir.redis;

import dev.weir.testkit.redis.RedisServer;

/** The contract on one server. */
class RedisCounterStoreContractIT extends RedisContract {
  RedisCounterStoreContractIT() {
    super(RedisServer.start(), server -> new RedisTopology.Single(server.uri()), Amount.FULL);
  }
}
