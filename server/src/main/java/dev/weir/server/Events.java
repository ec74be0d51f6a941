package dev.weir.server;

import dev.weir.TimeSource;
import dev.weir.policy.GateListener;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.Config;
import dev.weir.policy.config.EventSettings;
import dev.weir.policy.event.EventLog;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** The log of events that the configuration of the moment asks for. */
final class Events implements GateListener, AutoCloseable {
  private final TimeSource time;
  private volatile Open open;

  /** A log and what it was opened for. */
  private record Open(EventLog log, EventSettings settings, String serverId, String region) {}

  Events(Config config, TimeSource time) {
    this.time = time;
    this.open = open(config);
  }

  private Open open(Config config) {
    String id = serverId(config);
    String region = config.server().region();
    return new Open(new EventLog(config.events(), time, id, region), config.events(), id, region);
  }

  /** The name of this instance. */
  static String serverId(Config config) {
    return config.server().id().isEmpty() ? hostName() : config.server().id();
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "localhost";
    }
  }

  /**
   * Goes on by another configuration.
   *
   * @throws java.io.UncheckedIOException if its file cannot be written; then all stays as it was
   */
  void use(Config config, Config before) {
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
  public void decided(Verdict verdict) {
    open.log.decided(verdict);
  }

  @Override
  public void failed(Request request, Throwable failure) {
    open.log.failed(request, failure);
  }

  /** How many events wait for being written. */
  long waiting() {
    return open.log.waiting();
  }

  /** How many events were lost. */
  long lost() {
    return open.log.lost();
  }

  @Override
  public void close() {
    open.log.close();
  }
}
