package dev.weir.policy.config;

import java.time.Duration;
import java.util.List;

/**
 * The section {@code [redis]}.
 *
 * @param url where, with the scheme redis or rediss
 * @param topology how the servers belong together
 * @param nodes the members of a topology of several servers, as host:port
 * @param master the name of the master, for Sentinel
 * @param commandTimeout how long a decision waits for an answer
 * @param connectTimeout how long a connection may take to be made
 * @param keyPrefix what all keys start with
 */
public record RedisSettings(
    String url,
    Topology topology,
    List<String> nodes,
    String master,
    Duration commandTimeout,
    Duration connectTimeout,
    String keyPrefix) {
  public RedisSettings {
    nodes = List.copyOf(nodes);
  }

  /**
   * The servers, as clients of Redis want to be told them: one, sentinels all in one, or the
   * members. These have the scheme, user, password and database of the URL; a cluster has no
   * databases.
   */
  public List<String> uris() {
    UrlParts parts = UrlParts.of(url);
    return switch (topology) {
      case SINGLE -> List.of(url);
      case SENTINEL -> List.of(parts.sentinels(nodes, master));
      case CLUSTER -> nodes.stream().map(node -> parts.member(node, "")).toList();
      case RING -> nodes.stream().map(node -> parts.member(node, parts.database)).toList();
    };
  }

  /** What a URL says beside the host: {@code scheme://credentials@host:port/database}. */
  private record UrlParts(String scheme, String credentials, String database) {
    static UrlParts of(String url) {
      int start = url.indexOf("://") + 3;
      int at = url.lastIndexOf('@');
      int slash = url.indexOf('/', Math.max(start, at));
      return new UrlParts(
          url.substring(0, start - 3),
          at < 0 ? "" : url.substring(start, at + 1),
          slash < 0 ? "" : url.substring(slash));
    }

    String member(String node, String itsDatabase) {
      return scheme + "://" + credentials + node + itsDatabase;
    }

    String sentinels(List<String> nodes, String master) {
      return "%s-sentinel://%s%s%s#%s"
          .formatted(scheme, credentials, String.join(",", nodes), database, master);
    }
  }

  /** How several servers belong together. */
  public enum Topology {
    /** One server. */
    SINGLE("single"),
    /** A master that Sentinel watches. */
    SENTINEL("sentinel"),
    /** Redis Cluster. */
    CLUSTER("cluster"),
    /** Servers that know nothing of each other; keys are spread by consistent hashing. */
    RING("ring");

    private final String text;

    Topology(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** Does not tell secrets. */
  @Override
  public String toString() {
    return "RedisSettings["
        + "topology="
        + topology
        + ", nodes="
        + nodes
        + ", master="
        + master
        + ", commandTimeout="
        + commandTimeout
        + ", connectTimeout="
        + connectTimeout
        + ", keyPrefix="
        + keyPrefix
        + "]";
  }
}
