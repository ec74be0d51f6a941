package dev.weir.redis;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;

/**
 * Which servers hold the counters. URIs are Lettuce's: {@code redis://localhost:6379/1}, {@code
 * rediss://} for TLS; user and password, if any, as in {@code redis://user:password@host}, special
 * characters written as {@code %40}.
 */
public sealed interface RedisTopology {

  /**
   * One server, or the master that sentinels name.
   *
   * @param uri of the server, or {@code redis-sentinel://host:port,host:port#master}
   */
  record Single(String uri) implements RedisTopology {
    public Single {
      Objects.requireNonNull(uri, "uri");
    }

    /** Does not tell the password. */
    @Override
    public String toString() {
      return "Single";
    }
  }

  /**
   * A Redis Cluster. Counters of one client share a slot.
   *
   * @param uris of some of its nodes, from which the others are learnt; user, password and TLS of
   *     the first hold for all
   */
  record Cluster(List<String> uris) implements RedisTopology {
    public Cluster {
      uris = requireUris(uris);
    }

    /** Does not tell the passwords. */
    @Override
    public String toString() {
      return "Cluster of " + uris.size();
    }
  }

  /**
   * Independent servers, over which clients are spread by consistent hashing. All instances must
   * name the same servers by the same addresses.
   *
   * @param uris of all servers
   * @param virtualNodes how many points each server has on the ring; more spread clients more
   *     evenly
   */
  record Ring(List<String> uris, int virtualNodes) implements RedisTopology {
    private static final int USUAL_VIRTUAL_NODES = 100;
    private static final int MOST_VIRTUAL_NODES = 10_000;

    public Ring {
      uris = requireUris(uris);
      if (virtualNodes < 1 || virtualNodes > MOST_VIRTUAL_NODES) {
        throw new IllegalArgumentException(
            "virtualNodes must be between 1 and %d, got %d"
                .formatted(MOST_VIRTUAL_NODES, virtualNodes));
      }
    }

    /** With 100 virtual nodes a server. */
    public Ring(List<String> uris) {
      this(uris, USUAL_VIRTUAL_NODES);
    }

    /** Does not tell the passwords. */
    @Override
    public String toString() {
      return "Ring of " + uris.size();
    }
  }

  private static List<String> requireUris(List<String> uris) {
    if (uris.isEmpty()) {
      throw new IllegalArgumentException("uris must have at least one element, got []");
    }
    if (new HashSet<>(uris).size() < uris.size()) {
      throw new IllegalArgumentException("uris must differ, got one twice");
    }
    return List.copyOf(uris);
  }
}
