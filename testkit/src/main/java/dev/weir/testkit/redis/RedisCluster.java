package dev.weir.testkit.redis;

import dev.weir.testkit.process.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A real Redis Cluster of three masters, each with as many replicas as asked for, and slots that
 * can be moved under load. All slots are served once {@code start} returns, after about two
 * seconds: Redis lets a new master wait so long.
 *
 * <p>A node is thought to be down after two seconds of silence, without replicas after thirty,
 * unless the configuration says otherwise; replicas then take over. Safe for use by several
 * threads, except that slots are moved by one at a time.
 */
public final class RedisCluster implements AutoCloseable {
  /** How many slots a cluster has. */
  public static final int SLOTS = 16_384;

  private static final int MASTERS = 3;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final RedisConfig config;
  private final List<RedisServer> nodes = new ArrayList<>();

  private RedisCluster(int replicasPerMaster, RedisConfig config) {
    List<String> lines = new ArrayList<>();
    lines.add("cluster-enabled yes");
    // Where nobody can take over, a node that is slow is better waited for.
    lines.add("cluster-node-timeout " + (replicasPerMaster == 0 ? 30_000 : 2_000));
    // A replica is to stay with its master, also when that has given all its slots away.
    lines.add("cluster-allow-replica-migration no");
    lines.addAll(config.lines());
    this.config = new RedisConfig(lines, config.password(), config.certificate());
  }

  /** Starts three masters without replicas. */
  public static RedisCluster start() {
    return start(0);
  }

  /** Starts three masters with so many replicas each. */
  public static RedisCluster start(int replicasPerMaster) {
    return start(replicasPerMaster, RedisConfig.plain());
  }

  /** Starts three masters with so many replicas each, all with this configuration. */
  public static RedisCluster start(int replicasPerMaster, RedisConfig config) {
    RedisCluster cluster = new RedisCluster(replicasPerMaster, config);
    try {
      cluster.setUp(replicasPerMaster);
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void setUp(int replicasPerMaster) {
    for (int i = 0; i < MASTERS * (1 + replicasPerMaster); i++) {
      nodes.add(RedisServer.start(config));
    }
    for (int i = 0; i < nodes.size(); i++) {
      // Distinct epochs from the start, or the nodes need some rounds to agree on them.
      call(nodes.get(i), "CLUSTER", "SET-CONFIG-EPOCH", String.valueOf(i + 1));
    }
    for (int i = 0; i < MASTERS; i++) {
      String first = String.valueOf(SLOTS * i / MASTERS);
      String last = String.valueOf(SLOTS * (i + 1) / MASTERS - 1);
      call(nodes.get(i), "CLUSTER", "ADDSLOTSRANGE", first, last);
    }
    meet();
    for (int i = MASTERS; i < nodes.size(); i++) {
      call(nodes.get(i), "CLUSTER", "REPLICATE", id(nodes.get(i % MASTERS)));
    }
    awaitHealthy();
  }

  private void meet() {
    for (RedisServer node : nodes) {
      for (RedisServer other : nodes) {
        if (node != other) {
          call(node, "CLUSTER", "MEET", other.host(), String.valueOf(other.port()));
        }
      }
    }
    Await.until(
        "all nodes know each other",
        TIMEOUT,
        () -> nodes.stream().allMatch(node -> healthyNodes(view(node)) == nodes.size()));
  }

  /** The nodes that were started as masters, in the order of their first slots. */
  public List<RedisServer> initialMasters() {
    return List.copyOf(nodes.subList(0, MASTERS));
  }

  /** All nodes, the initial masters first; the replicas of each then take turns. */
  public List<RedisServer> nodes() {
    return List.copyOf(nodes);
  }

  /** Such as {@code redis://127.0.0.1:12345,redis://127.0.0.1:12346}: a URI for each node. */
  public String uris() {
    return nodes.stream().map(RedisServer::uri).collect(Collectors.joining(","));
  }

  /** The slot of a key. */
  public int slotOf(String key) {
    try (RespClient client = anyAlive().client()) {
      return Math.toIntExact(client.number("CLUSTER", "KEYSLOT", key));
    }
  }

  /** The master that serves a slot, as far as the first node that runs knows. */
  public RedisServer nodeOfSlot(int slot) {
    return view(anyAlive()).stream()
        .filter(node -> node.isMaster() && node.slots().get(slot))
        .map(node -> byPort(node.port()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("nobody serves slot " + slot));
  }

  /** How many slots a node serves, as far as it knows itself. */
  public int slotCount(RedisServer node) {
    return myself(node).slots().cardinality();
  }

  /**
   * Moves the lowest slots of a master to another, with the keys in them, the way that clients are
   * told by ASK and MOVED, and waits until all nodes know.
   *
   * @return the slots that were moved
   */
  public synchronized List<Integer> moveSlots(RedisServer from, RedisServer to, int count) {
    List<Integer> slots = myself(from).slots().stream().limit(count).boxed().toList();
    if (count < 1 || slots.size() < count) {
      throw new IllegalArgumentException(
          "count must be between 1 and %d, the slots of the node, got %d"
              .formatted(slotCount(from), count));
    }
    List<RedisServer> others =
        nodes.stream()
            .filter(node -> node != from && node != to && node.isAlive() && myself(node).isMaster())
            .toList();
    try (SlotMove move = new SlotMove(from, id(from), to, id(to), others, config.password())) {
      move.run(slots);
    }
    awaitHealthy();
    return slots;
  }

  /**
   * Waits until all nodes that run serve all slots and agree on who serves which: after the start,
   * or once replicas have taken over from a master that was killed.
   */
  public void awaitHealthy() {
    Await.until("the cluster is healthy", TIMEOUT, this::isHealthy);
  }

  private boolean isHealthy() {
    Map<Integer, Object> owners = new HashMap<>();
    for (RedisServer node : nodes) {
      if (node.isAlive() && !sees(node, owners)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a node is content, and sees the same owners as those asked before. */
  private boolean sees(RedisServer node, Map<Integer, Object> owners) {
    String info = call(node, "CLUSTER", "INFO");
    if (!info.contains("cluster_state:ok\r\n")
        || !info.contains("cluster_slots_ok:%d\r\n".formatted(SLOTS))) {
      return false;
    }
    for (ClusterNode seen : view(node)) {
      boolean agreed =
          seen.slots().equals(owners.computeIfAbsent(seen.port(), port -> seen.slots()));
      // For a while the others do not notice that a node is gone.
      boolean served = byPort(seen.port()).isAlive() ? seen.isHealthy() : seen.slots().isEmpty();
      if (!agreed || !served) {
        return false;
      }
    }
    String replication = call(node, "INFO", "replication");
    return replication.contains("role:master") || replication.contains("master_link_status:up");
  }

  private static long healthyNodes(List<ClusterNode> view) {
    return view.stream().filter(ClusterNode::isHealthy).count();
  }

  private static List<ClusterNode> view(RedisServer node) {
    return ClusterNode.parse(call(node, "CLUSTER", "NODES"));
  }

  private static ClusterNode myself(RedisServer node) {
    return view(node).stream().filter(ClusterNode::isMyself).findFirst().orElseThrow();
  }

  private static String id(RedisServer node) {
    return call(node, "CLUSTER", "MYID");
  }

  private static String call(RedisServer node, String... command) {
    try (RespClient client = node.client()) {
      return client.text(command);
    }
  }

  private RedisServer anyAlive() {
    return nodes.stream().filter(RedisServer::isAlive).findFirst().orElseThrow();
  }

  private RedisServer byPort(int port) {
    return nodes.stream().filter(node -> node.port() == port).findFirst().orElseThrow();
  }

  /** Kills all nodes and removes their folders. */
  @Override
  public void close() {
    nodes.forEach(RedisServer::close);
  }
}
