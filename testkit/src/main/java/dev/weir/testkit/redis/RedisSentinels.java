package dev.weir.testkit.redis;

import dev.weir.testkit.process.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real master with replicas, watched by three sentinels of which two must agree. The master is
 * thought to be down after one second of silence; a failover then takes one to two seconds more.
 *
 * <p>All replicas are in sync, and all sentinels know all servers and each other, once {@code
 * start} returns. Safe for use by several threads.
 */
public final class RedisSentinels implements AutoCloseable {
  /** The name under which the sentinels know the master. */
  public static final String MASTER_NAME = "weir";

  private static final int SENTINELS = 3;
  private static final int QUORUM = 2;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final RedisConfig config;
  private final List<RedisServer> servers = new ArrayList<>();
  private final List<RedisServer> sentinels = new ArrayList<>();

  private RedisSentinels(RedisConfig config) {
    this.config = config;
  }

  /** Starts a master with so many replicas, and the sentinels. */
  public static RedisSentinels start(int replicas) {
    return start(replicas, RedisConfig.plain());
  }

  /**
   * Starts a master with so many replicas, all with this configuration, and the sentinels. See
   * {@link RedisConfig#fenced} for a master that stops writing when it is alone.
   */
  public static RedisSentinels start(int replicas, RedisConfig config) {
    RedisSentinels started = new RedisSentinels(config);
    try {
      started.setUp(replicas);
      return started;
    } catch (RuntimeException e) {
      started.close();
      throw e;
    }
  }

  private void setUp(int replicas) {
    RedisServer master = RedisServer.start(config);
    servers.add(master);
    for (int i = 0; i < replicas; i++) {
      servers.add(RedisServer.start(config.replicaOf(master)));
    }
    // A sentinel asks for replicas at once, and then every ten seconds only.
    Await.until("all replicas are in sync", TIMEOUT, () -> inSync(master) == replicas);
    for (int i = 0; i < SENTINELS; i++) {
      sentinels.add(RedisServer.startSentinel(sentinelLines(master, replicas)));
    }
    hurry("publish-period", "100");
    Await.until(
        "all sentinels know all", TIMEOUT, () -> sentinels.stream().allMatch(this::knowsAll));
    // Else a failover takes up to three seconds more: to ask others, to see a replica promoted, and
    // to tell the others of it.
    hurry("publish-period", "200");
    hurry("ask-period", "100");
    hurry("info-period", "500");
    // Else a sentinel that a busy machine stops for two seconds does nothing for half a minute.
    hurry("tilt-period", "1000");
  }

  private List<String> sentinelLines(RedisServer master, int replicas) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "sentinel monitor %s %s %d %d"
            .formatted(MASTER_NAME, master.host(), master.port(), QUORUM));
    lines.add("sentinel down-after-milliseconds %s 1000".formatted(MASTER_NAME));
    // After a vote without a winner the next one comes after twice this time.
    lines.add("sentinel failover-timeout %s 3000".formatted(MASTER_NAME));
    lines.add("sentinel parallel-syncs %s %d".formatted(MASTER_NAME, Math.max(1, replicas)));
    if (config.password() != null) {
      lines.add("sentinel auth-pass %s %s".formatted(MASTER_NAME, config.password()));
    }
    return lines;
  }

  /** Sets how often sentinels tell of each other, or look, where the version can (7.0). */
  private void hurry(String setting, String millis) {
    for (RedisServer sentinel : sentinels) {
      try (RespClient client = sentinel.client()) {
        client.call("SENTINEL", "DEBUG", setting, millis);
      } catch (RespError e) {
        // An older version takes its two seconds.
      }
    }
  }

  private static long inSync(RedisServer master) {
    try (RespClient client = master.client()) {
      return client
          .text("INFO", "replication")
          .lines()
          .filter(line -> line.startsWith("slave") && line.contains("state=online"))
          .count();
    }
  }

  /** Whether a sentinel has a master, and sees nothing wrong with it. */
  private static boolean watches(RedisServer sentinel, RedisServer master) {
    try (RespClient client = sentinel.client()) {
      Map<Object, Object> watched = map(client.list("SENTINEL", "MASTER", MASTER_NAME));
      return "master".equals(watched.get("flags"))
          && String.valueOf(master.port()).equals(watched.get("port"));
    }
  }

  private boolean knowsAll(RedisServer sentinel) {
    try (RespClient client = sentinel.client()) {
      Map<Object, Object> master = map(client.list("SENTINEL", "MASTER", MASTER_NAME));
      return "master".equals(master.get("flags"))
          && String.valueOf(SENTINELS - 1).equals(master.get("num-other-sentinels"))
          && client.list("SENTINEL", "SENTINELS", MASTER_NAME).stream()
              .allMatch(other -> "sentinel".equals(map((List<?>) other).get("flags")))
          && client.list("SENTINEL", "REPLICAS", MASTER_NAME).stream()
                  .map(replica -> map((List<?>) replica))
                  .filter(replica -> "slave".equals(replica.get("flags")))
                  .filter(replica -> "ok".equals(replica.get("master-link-status")))
                  .count()
              == servers.size() - 1;
    }
  }

  private static Map<Object, Object> map(List<?> pairs) {
    Map<Object, Object> map = new HashMap<>();
    for (int i = 0; i + 1 < pairs.size(); i += 2) {
      map.put(pairs.get(i), pairs.get(i + 1));
    }
    return map;
  }

  /** The servers, the first master first; who is master now, {@link #master} says. */
  public List<RedisServer> servers() {
    return List.copyOf(servers);
  }

  /** The sentinels; they can be paused and killed like any server. */
  public List<RedisServer> sentinels() {
    return List.copyOf(sentinels);
  }

  /**
   * Such as {@code redis-sentinel://127.0.0.1:12345,127.0.0.1:12346,127.0.0.1:12347/0#weir}, the
   * password of the servers, if any, before the first.
   */
  public String uri() {
    String credentials = config.password() == null ? "" : ":" + config.password() + "@";
    return sentinels.stream()
        .map(sentinel -> sentinel.host() + ":" + sentinel.port())
        .collect(Collectors.joining(",", "redis-sentinel://" + credentials, "/0#" + MASTER_NAME));
  }

  /**
   * The server that at least two sentinels say is the master.
   *
   * @throws IllegalStateException if no two agree, as for a moment in a failover
   */
  public RedisServer master() {
    return servers.stream()
        .filter(server -> votes(server) >= QUORUM)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no two sentinels agree on the master"));
  }

  private long votes(RedisServer server) {
    return sentinels.stream().filter(sentinel -> server.port() == masterPort(sentinel)).count();
  }

  /** What a sentinel says, or 0 if it does not answer. */
  private static int masterPort(RedisServer sentinel) {
    if (!sentinel.isAlive()) {
      return 0;
    }
    try (RespClient client =
        RespClient.connect(sentinel.host(), sentinel.port(), Duration.ofSeconds(1))) {
      List<?> address = client.list("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER_NAME);
      return Integer.parseInt((String) address.get(1));
    } catch (RuntimeException e) {
      return 0;
    }
  }

  /** Kills the master, and returns it once it is gone. */
  public RedisServer killMaster() {
    RedisServer master = master();
    master.kill();
    return master;
  }

  /**
   * Waits until another server is the master, for the sentinels and for itself. It may still refuse
   * writes: with {@link RedisConfig#fenced}, until a replica has found it.
   *
   * @return the new master
   */
  public RedisServer awaitFailover(RedisServer oldMaster) {
    Await.until(
        "a failover from " + oldMaster,
        TIMEOUT,
        () -> master() != oldMaster && "master".equals(role(master())));
    return master();
  }

  /**
   * Starts a server that was killed again, empty, as a replica of the master there is now. Returns
   * when it is in sync and all sentinels know so.
   */
  public void rejoin(RedisServer killed) {
    RedisServer master = master();
    // A sentinel that is not done with the failover would take it for the old master.
    Await.until(
        "all sentinels watch " + master,
        TIMEOUT,
        () -> sentinels.stream().allMatch(sentinel -> watches(sentinel, master)));
    killed.restartEmpty();
    try (RespClient client = killed.client()) {
      client.call("REPLICAOF", master.host(), String.valueOf(master.port()));
    }
    Await.until(
        "all sentinels know all again", TIMEOUT, () -> sentinels.stream().allMatch(this::knowsAll));
  }

  private static @Nullable Object role(RedisServer server) {
    try (RespClient client = server.client()) {
      return client.list("ROLE").get(0);
    }
  }

  /** Kills all servers and sentinels and removes their folders. */
  @Override
  public void close() {
    Stream.concat(sentinels.stream(), servers.stream()).forEach(RedisServer::close);
  }
}
