package dev.weir.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a server says of itself when it is asked for INFO. */
final class ServerInfo {
  private static final String NO_EVICTION = "noeviction";

  private final Map<String, String> fields = new HashMap<>();

  /** Reads an answer: lines such as {@code run_id:2dbf}; what is not understood is left out. */
  ServerInfo(String text) {
    for (String line : text.split("\r?\n", -1)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        fields.put(line.substring(0, colon), line.substring(colon + 1));
      }
    }
  }

  private String field(String name) {
    return fields.getOrDefault(name, "");
  }

  private long number(String name) {
    try {
      return Long.parseLong(field(name));
    } catch (NumberFormatException untold) {
      return 0;
    }
  }

  /** Null if it does not say. Valkey calls itself Redis 7.2.4 as well, for old clients. */
  @Nullable ServerVersion version() {
    ServerVersion valkey = ServerVersion.valkey(field("valkey_version"));
    return valkey != null ? valkey : ServerVersion.redis(field("redis_version"));
  }

  /** Whether both are of one process; not if a server has restarted or another answers. */
  boolean isSameRun(ServerInfo other) {
    return field("run_id").equals(other.field("run_id"));
  }

  /** How many keys it has thrown away for want of memory, since its start. */
  long evictedKeys() {
    return number("evicted_keys");
  }

  /** Whether it throws keys away when memory is full. */
  private boolean evicts() {
    return number("maxmemory") > 0
        && !fields.getOrDefault("maxmemory_policy", NO_EVICTION).equals(NO_EVICTION);
  }

  /** Whether it stops writing when it is cut off; only then it tells how many replicas are near. */
  private boolean isFenced() {
    return fields.containsKey("min_slaves_good_slaves");
  }

  /**
   * What should be changed, in words.
   *
   * @param isFailedOver whether another server takes over when this one fails
   */
  List<String> warnings(boolean isFailedOver) {
    List<String> warnings = new ArrayList<>();
    ServerVersion version = version();
    if (version != null) {
      version.warning().ifPresent(warnings::add);
    }
    if (evicts()) {
      warnings.add(
          "maxmemory-policy is %s: when memory is full, counters are thrown away and their clients"
                  .formatted(field("maxmemory_policy"))
              + " start anew; set it to noeviction");
    }
    if (isFailedOver && !isFenced()) {
      warnings.add(
          "min-replicas-to-write is not set: a master that is cut off goes on counting, and what it"
              + " counts is lost when another takes over; set it to 1, and min-replicas-max-lag"
              + " too");
    }
    return List.copyOf(warnings);
  }
}
