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
