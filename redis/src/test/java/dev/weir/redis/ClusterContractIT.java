package dev.weir.redis;

import dev.weir.testkit.redis.RedisCluster;
import dev.weir.testkit.redis.RedisConfig;
import dev.weir.testkit.redis.RedisServer;

/** The contract on a cluster of three masters with a replica each. */
class ClusterContractIT extends RedisContract {
  ClusterContractIT() {
    super(
        // Nobody is to take over from a node that is slow.
        RedisCluster.start(1, RedisConfig.plain().with("cluster-node-timeout 60000")),
        cluster ->
            new RedisTopology.Cluster(cluster.nodes().stream().map(RedisServer::uri).toList()),
        Amount.SMALL);
  }
}
