package dev.weir.redis;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Hears from one server which counters have room again, other than by time: something was given
 * back, or they were reset, or are counted another way.
 *
 * <p>A connection may be dead without telling. So the server is pinged all the time, and what was
 * not heard of lately is not trusted: who remembers a refusal may rely on it only while the news
 * would have come.
 */
final class RoomNews implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(RoomNews.class.getName());

  private static final long PING_NANOS = Duration.ofMillis(200).toNanos();

  /** Refusals that were not heard about for this long are forgotten. */
  private static final long SILENCE_NANOS = Duration.ofMillis(800).toNanos();

  private static final long RETRY_NANOS = Duration.ofMillis(500).toNanos();

  private final Connection.Factory connections;
  private final String channel;
  private final Refusals refusals;

  private volatile Connection.@Nullable Subscription subscription;
  private volatile boolean isConnecting;
  private volatile boolean isPinging;
  private volatile long heardAt;
  private volatile boolean isClosed;

  /** Only tick() uses them. */
  private long triedAt;

  private long pingedAt;

  RoomNews(Connection.Factory connections, String channel, Refusals refusals) {
    this.connections = connections;
    this.channel = channel;
    this.refusals = refusals;
    this.triedAt = System.nanoTime() - RETRY_NANOS;
    this.pingedAt = triedAt;
  }

  /** Whether news would have come until a moment ago. */
  boolean isHeard() {
    return subscription != null && System.nanoTime() - heardAt < SILENCE_NANOS;
  }

  /** The server is another one now, or another connection to it was needed. */
  void renew() {
    Connection.Subscription current = subscription;
    if (current != null) {
      current.close();
    }
  }

  /** Called again and again by one thread. */
  void tick(long now, boolean isServerThere) {
    if (!refusals.isOn() || isClosed) {
      return;
    }
    Connection.Subscription current = subscription;
    if (current != null && (!current.isOpen() || now - heardAt > SILENCE_NANOS)) {
      current.close();
      subscription = null;
      isPinging = false;
      current = null;
    }
    if (current == null) {
      if (isServerThere && !isConnecting && now - triedAt > RETRY_NANOS) {
        triedAt = now;
        subscribe();
      }
    } else if (!isPinging && now - pingedAt > PING_NANOS) {
      pingedAt = now;
      ping(current);
    }
  }

  private void subscribe() {
    isConnecting = true;
    connections
        .subscribe(channel, refusals::hasRoom)
        .whenComplete(
            (opened, failure) -> {
              isConnecting = false;
              if (failure != null) {
                LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "no news from " + connections.target() + "; refusals are not remembered",
                    failure);
              } else if (isClosed) {
                opened.close();
              } else {
                // What was told in between has been missed.
                refusals.forgetAll();
                heardAt = System.nanoTime();
                subscription = opened;
              }
            });
  }

  private void ping(Connection.Subscription current) {
    isPinging = true;
    long sentAt = System.nanoTime();
    current
        .ping()
        .whenComplete(
            (pong, failure) -> {
              isPinging = false;
              if (failure == null && current == subscription) {
                heardAt = sentAt;
              }
            });
  }

  @Override
  public void close() {
    isClosed = true;
    renew();
  }
}
