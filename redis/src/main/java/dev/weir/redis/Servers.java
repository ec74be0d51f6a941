package dev.weir.redis;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The servers that counters are spread over. */
interface Servers extends AutoCloseable {

  /** Where the counters of a key live: those of one place can be reached in one call. */
  int place(String key);

  /** Brings something to the server of its place. */
  void bring(Asked asked);

  /** Whether we would hear at once that counters of a place have room again. */
  boolean isHeard(int place);

  /** Whether every server is known and answered when it was last asked. */
  boolean isReachable();

  /** Whoever goes to a server now. */
  Collection<Courier> couriers();

  /** Completes when all servers were reached, or could not be, for the first time. */
  CompletableFuture<@Nullable Void> firstTry();

  /** Looks after all servers; called again and again by one thread. */
  void tick();

  @Override
  void close();
}
