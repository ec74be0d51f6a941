package dev.weir.policy.event;

import dev.weir.TimeSource;
import dev.weir.policy.GateListener;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.Config;
import dev.weir.policy.config.EventSettings;

/** The log of events that the configuration of the moment asks for. */
public final class LiveEventLog implements GateListener, AutoCloseable {
  private final TimeSource time;
  private final String host;
  private volatile Open open;

  /** A log and what it was opened for. */
  private record Open(EventLog log, EventSettings settings, String serverId, String region) {}

  /**
   * Opens the log that the configuration asks for.
   *
   * @param host the name of an instance that has none of its own
   */
  public LiveEventLog(Config config, TimeSource time, String host) {
    this.time = time;
    this.host = host;
    this.open = open(config);
  }

  private Open open(Config config) {
    String id = serverId(config, host);
    String region = config.server().region();
    return new Open(new EventLog(config.events(), time, id, region), config.events(), id, region);
  }

  /** The name of an instance on that host. */
  public static String serverId(Config config, String host) {
    return config.server().id().isEmpty() ? host : config.server().id();
  }

  /**
   * Goes on by another configuration.
   *
   * @throws java.io.UncheckedIOException if its file cannot be written; then all stays as it was
   */
  public void use(Config config, Config before) {
    boolean isSame =
        config.events().equals(before.events())
            && config.server().id().equals(before.server().id())
            && config.server().region().equals(before.server().region());
    if (!isSame) {
      Open old = open;
      open = open(config);
      old.log.close();
    }
  }

  @Override
  public void decided(Verdict verdict, long latencyNanos) {
    open.log.decided(verdict, latencyNanos);
  }

  @Override
  public void failed(Request request, Throwable failure) {
    open.log.failed(request, failure);
  }

  /** How many events wait for being written. */
  public long waiting() {
    return open.log.waiting();
  }

  /** How many events were lost. */
  public long lost() {
    return open.log.lost();
  }

  @Override
  public void close() {
    open.log.close();
  }
}
