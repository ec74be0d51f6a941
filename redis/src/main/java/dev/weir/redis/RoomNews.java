package dev.weir.redis;

import java.util.function.LongSupplier;
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

  private final Connection.Factory connections;
  private final String channel;
  private final Refusals refusals;
  private final LongSupplier nanoClock;
  private final long pingNanos;

  /** Refusals that were not heard about for this long are forgotten. */
  private final long silenceNanos;

  private final long retryNanos;

  private volatile Connection.@Nullable Subscription subscription;
  private volatile boolean isConnecting;
  private volatile boolean isPinging;
  private volatile long heardAt;
  private volatile boolean isClosed;

  /** Only tick() uses them. */
  private long triedAt;

  private long pingedAt;

  /**
   * News from one server.
   *
   * @param connections how to get there
   * @param channel where the server tells them
   * @param refusals who has to hear
   * @param timings how often to ping and to retry, and how long no news may come
   * @param nanoClock what {@link #tick} goes by, such as {@link System#nanoTime}
   */
  RoomNews(
      Connection.Factory connections,
      String channel,
      Refusals refusals,
      Timings timings,
      LongSupplier nanoClock) {
    this.connections = connections;
    this.channel = channel;
    this.refusals = refusals;
    this.nanoClock = nanoClock;
    this.pingNanos = timings.newsPing().toNanos();
    this.silenceNanos = timings.newsSilence().toNanos();
    this.retryNanos = timings.newsRetry().toNanos();
    this.triedAt = nanoClock.getAsLong() - retryNanos;
    this.pingedAt = triedAt;
  }

  /** Whether news would have come until a moment ago. */
  boolean isHeard() {
    return subscription != null && nanoClock.getAsLong() - heardAt < silenceNanos;
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
    if (current != null && (!current.isOpen() || now - heardAt > silenceNanos)) {
      current.close();
      subscription = null;
      isPinging = false;
      current = null;
    }
    if (current == null) {
      if (isServerThere && !isConnecting && now - triedAt > retryNanos) {
        triedAt = now;
        subscribe();
      }
    } else if (!isPinging && now - pingedAt > pingNanos) {
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
                heardAt = nanoClock.getAsLong();
                subscription = opened;
              }
            });
  }

  private void ping(Connection.Subscription current) {
    isPinging = true;
    long sentAt = nanoClock.getAsLong();
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
