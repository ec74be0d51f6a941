package dev.weir.redis;

import dev.weir.testkit.redis.RedisSentinels;

/** The contract on a master with two replicas that three sentinels watch. */
class SentinelContractIT extends RedisContract {
  SentinelContractIT() {
    super(RedisSentinels.start(2), redis -> new RedisTopology.Single(redis.uri()));
  }
}
