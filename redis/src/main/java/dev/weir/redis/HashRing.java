package dev.weir.redis;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Spreads keys over servers: each server has many points on a ring of hashes, and a key belongs to
 * the server whose point comes next after its own hash. A server that is added takes its share from
 * all others, and nothing else moves; the order in which servers are named means nothing.
 */
final class HashRing {
  private final long[] points;
  private final int[] owners;

  /**
   * A ring.
   *
   * @param servers their names, which differ
   * @param pointsPerServer how many points a server has
   */
  HashRing(List<String> servers, int pointsPerServer) {
    TreeMap<Long, String> ring = new TreeMap<>();
    for (String server : servers) {
      for (int i = 0; i < pointsPerServer; i++) {
        // If two ever meet, which of them stays does not depend on their order.
        ring.merge(hash(server + "#" + i), server, (a, b) -> a.compareTo(b) < 0 ? a : b);
      }
    }
    points = new long[ring.size()];
    owners = new int[ring.size()];
    int i = 0;
    for (Map.Entry<Long, String> point : ring.entrySet()) {
      points[i] = point.getKey();
      owners[i] = servers.indexOf(point.getValue());
      i++;
    }
  }

  /** The server of a key, as its index. */
  int ownerOf(String key) {
    int found = Arrays.binarySearch(points, hash(key));
    int next = found >= 0 ? found : -found - 1;
    return owners[next == points.length ? 0 : next];
  }

  /** FNV-1a, and its bits mixed, so that names that differ in one character lie far apart. */
  private static long hash(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return hash ^ (hash >>> 33);
  }
}
