package dev.weir.redis;

import dev.weir.testkit.redis.RedisSentinels;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespClient;

/** The contract on a master with two replicas that three sentinels watch. */
class SentinelContractIT extends RedisContract {
  SentinelContractIT() {
    super(
        patient(RedisSentinels.start(2)),
        redis -> new RedisTopology.Single(redis.uri()),
        Amount.SMALL);
  }

  /** Nobody is to take over from a master that is slow. */
  private static RedisSentinels patient(RedisSentinels redis) {
    for (RedisServer sentinel : redis.sentinels()) {
      try (RespClient client = sentinel.client()) {
        client.call(
            "SENTINEL", "SET", RedisSentinels.MASTER_NAME, "down-after-milliseconds", "60000");
      }
    }
    return redis;
  }
}
