package dev.weir.redis;

import dev.weir.testkit.redis.RedisCluster;
import dev.weir.testkit.redis.RedisServer;

/** The contract on a cluster of three masters with a replica each. */
class ClusterContractIT extends RedisContract {
  ClusterContractIT() {
    super(
        RedisCluster.start(1),
        cluster ->
            new RedisTopology.Cluster(cluster.nodes().stream().map(RedisServer::uri).toList()));
  }
}
