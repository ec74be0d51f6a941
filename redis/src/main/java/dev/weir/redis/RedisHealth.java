package dev.weir.redis;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How the servers of a {@link RedisCounterStore} are, as of its last look at them; it looks about
 * twice a second.
 *
 * @param servers all servers that it counts on
 */
public record RedisHealth(List<Server> servers) {
  public RedisHealth {
    servers = List.copyOf(servers);
  }

  /**
   * How one server is.
   *
   * @param target where it is, without passwords: host and port, or the master's name
   * @param isReachable whether it answered when it was last asked
   * @param writeError the error that it replied to the last write that this store made on its own
   *     account; absent if it accepted that
   * @param version such as {@code Redis 7.2.11}; absent until it was told
   * @param warnings what should be changed there, in words
   * @param evictedKeys how many keys the server has thrown away for want of memory since its start
   * @param losses how often this store has seen that the counters were gone
   * @param lastFailure why an operation or a connection failed the last time, if ever
   */
  public record Server(
      String target,
      boolean isReachable,
      Optional<String> writeError,
      Optional<String> version,
      List<String> warnings,
      long evictedKeys,
      long losses,
      Optional<String> lastFailure) {
    public Server {
      Objects.requireNonNull(target, "target");
      Objects.requireNonNull(writeError, "writeError");
      Objects.requireNonNull(version, "version");
      warnings = List.copyOf(warnings);
      Objects.requireNonNull(lastFailure, "lastFailure");
    }

    /**
     * Whether it refuses all writes for the time being: it is out of memory, cannot persist, lacks
     * replicas or is one itself. A client without the right to that one write is another matter.
     */
    public boolean refusesWrites() {
      return writeError.isPresent() && ErrorReply.isAboutServer(writeError.get());
    }
  }
}
