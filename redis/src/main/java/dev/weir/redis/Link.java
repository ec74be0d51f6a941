package dev.weir.redis;

import dev.weir.redis.RedisStoreException.Kind;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection to one server, and whether that server is to be asked.
 *
 * <p>A server that does not answer is not trusted until it answers a ping. A connection that has
 * been silent for {@link Timings#silence} is replaced, and so is one to a server that has become a
 * replica, or has hung up. While there is none, a new one is tried again and again, and it is known
 * why that fails.
 */
final class Link implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(Link.class.getName());

  private final Connection.Factory connections;
  private final Function<Connection, CompletionStage<?>> greeting;
  private final Caretaker caretaker;
  private final RoomNews news;
  private final Duration connectTimeout;
  private final LongSupplier nanoClock;
  private final long pingNanos;
  private final long silenceNanos;

  /** How long a check of the server may take. */
  private final long checkNanos;

  private final CompletableFuture<@Nullable Void> firstTry = new CompletableFuture<>();

  // These three change under the lock of this link: a server that is trusted has a connection, and
  // without that, nobody would open another one.
  private volatile @Nullable Connection connection;

  /** The connection, while the server is to be asked; else null. */
  private volatile @Nullable Connection trusted;

  private volatile boolean isClosed;

  /** Whether the last that was asked for was refused by a replica. */
  private volatile boolean isReplica;

  private volatile boolean isConnecting;
  private volatile boolean isProbing;

  /** Only tick() uses it. */
  private long probedAt;

  private volatile long silentSince;

  /** Why there is no connection; null as long as there is one, or the first is being opened. */
  private volatile @Nullable Trouble trouble;

  /** Why a server is not asked. */
  record Trouble(Kind kind, String message) {}

  /**
   * A link that is opened by the first tick.
   *
   * @param connections how to get there
   * @param greeting what has to go well before a connection is used
   * @param caretaker of that server
   * @param news from that server
   * @param options time-outs
   * @param timings how often to ping, and how long a connection may be silent
   * @param nanoClock what {@link #tick} goes by, such as {@link System#nanoTime}
   */
  Link(
      Connection.Factory connections,
      Function<Connection, CompletionStage<?>> greeting,
      Caretaker caretaker,
      RoomNews news,
      RedisOptions options,
      Timings timings,
      LongSupplier nanoClock) {
    this.connections = connections;
    this.greeting = greeting;
    this.caretaker = caretaker;
    this.news = news;
    this.connectTimeout = options.connectTimeout();
    this.nanoClock = nanoClock;
    this.pingNanos = timings.ping().toNanos();
    this.silenceNanos = timings.silence().toNanos();
    this.checkNanos = Math.max(silenceNanos, options.commandTimeout().toNanos());
    this.probedAt = nanoClock.getAsLong() - pingNanos;
  }

  /** Completes when the server was reached, or could not be, for the first time. */
  CompletableFuture<@Nullable Void> firstTry() {
    return firstTry;
  }

  /** The connection, if there is one; to be asked only while the server is trusted. */
  @Nullable Connection connection() {
    return connection;
  }

  /** Whether the server answered when it was last asked. */
  boolean isTrusted() {
    return trusted != null;
  }

  /** Why the server is not trusted. */
  Trouble trouble() {
    if (isClosed) {
      return new Trouble(Kind.UNREACHABLE, "the store is closed");
    }
    Trouble known = trouble;
    return known == null ? new Trouble(Kind.NOT_ASKED, "does not answer") : known;
  }

  /** An answer came. */
  void answered(Connection from) {
    if (isReplica) {
      isReplica = false;
      sayTrusted();
    }
    if (from != trusted) {
      trust(from);
    }
  }

  /** Tells whether the server is trusted now: not if that connection was given up meanwhile. */
  private synchronized boolean trust(Connection answering) {
    if (isClosed || answering != connection || !answering.isOpen()) {
      return false;
    }
    trusted = answering;
    return true;
  }

  /** The connection failed before an answer came. */
  synchronized void broke(Connection from) {
    // One that was replaced meanwhile says nothing about the server.
    if (from == trusted) {
      trusted = null;
    }
  }

  /**
   * The server was the master, and goes on as if nothing had happened: whoever asks anew is told
   * which server is the master now.
   */
  void becameReplica(Connection from) {
    if (!isReplica) {
      isReplica = true;
      warn("is a replica now; reconnecting until a master answers");
    }
    broke(from);
    from.close();
  }

  /** An answer has not come in time. */
  void answersLate(long sentAt, long now) {
    if (isTrusted()) {
      warn(
          "has not answered for %d ms; it is not asked until it answers a ping"
              .formatted((now - sentAt) / 1_000_000));
      silent(sentAt);
    }
  }

  private synchronized void silent(long since) {
    trusted = null;
    silentSince = since;
  }

  /** Looks after the connection; called again and again by one thread. */
  void tick(long now) {
    Connection current = trusted;
    if (current == null) {
      probe(now);
    } else if (!current.isOpen()) {
      warn("has hung up");
      caretaker.failed("the connection broke");
      broke(current);
      probe(now);
    } else {
      caretaker.tick(current, now);
      if (caretaker.unansweredNanos(now) > checkNanos) {
        warn("is silent");
        silent(now - silenceNanos);
      }
    }
    news.tick(now, isTrusted());
  }

  private void warn(String what) {
    LOGGER.log(System.Logger.Level.WARNING, "Redis at {0} {1}", connections.target(), what);
  }

  private void probe(long now) {
    giveUpIfDead(now);
    if (now - probedAt < pingNanos || isConnecting || isProbing) {
      return;
    }
    probedAt = now;
    Connection current = connection;
    if (current == null) {
      connect();
    } else {
      isProbing = true;
      current
          .ping()
          .whenComplete(
              (pong, failure) -> {
                isProbing = false;
                if (failure == null && trust(current)) {
                  sayTrusted();
                }
              });
    }
  }

  /** Gives up a connection that is broken, or has been silent for too long. */
  private synchronized void giveUpIfDead(long now) {
    Connection current = connection;
    if (current != null
        && trusted == null
        && (!current.isOpen() || now - silentSince > silenceNanos)) {
      current.close();
      connection = null;
      isProbing = false;
    }
  }

  private void sayTrusted() {
    if (isReplica) {
      // It answers the greeting; whether it takes writes again is not known yet.
      return;
    }
    LOGGER.log(System.Logger.Level.INFO, "Redis at {0} answers", connections.target());
  }

  /** Opens a connection, and takes it if the greeting goes well. */
  private void connect() {
    isConnecting = true;
    CompletionStage<?> greeted =
        connections
            .connect()
            .thenCompose(this::greet)
            .toCompletableFuture()
            // Of a copy: a stage that has timed out itself would neither greet nor close a
            // connection that comes later, and nobody else knows of it.
            .copy()
            .orTimeout(connectTimeout.toMillis(), TimeUnit.MILLISECONDS);
    greeted.whenComplete(
        (done, failure) -> {
          if (failure != null && connection == null && !isClosed) {
            note(troubleOf(failure));
          }
          isConnecting = false;
          firstTry.complete(null);
        });
  }

  private CompletionStage<?> greet(Connection opened) {
    return greeting
        .apply(opened)
        .toCompletableFuture()
        .orTimeout(connectTimeout.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (done, failure) -> {
              if (failure == null && take(opened)) {
                sayTrusted();
              } else {
                opened.close();
              }
            });
  }

  /** Takes a connection unless another came first, when a server thaws that many waited for. */
  private synchronized boolean take(Connection opened) {
    if (isClosed || connection != null) {
      return false;
    }
    connection = opened;
    silentSince = nanoClock.getAsLong();
    trouble = null;
    news.renew();
    trusted = opened;
    return true;
  }

  private Trouble troubleOf(Throwable failure) {
    String reply = ErrorReply.in(failure);
    if (reply != null) {
      return new Trouble(ErrorReply.kindOf(reply), reply);
    }
    if (failure instanceof TimeoutException) {
      return new Trouble(
          Kind.UNREACHABLE, "no connection within %d ms".formatted(connectTimeout.toMillis()));
    }
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String message = root.getMessage() == null ? root.toString() : root.getMessage();
    return new Trouble(Kind.UNREACHABLE, "cannot connect: " + message);
  }

  /** Remembers why there is no connection, and says so once, not at every attempt. */
  private void note(Trouble found) {
    if (!found.equals(trouble)) {
      trouble = found;
      caretaker.failed(found.message);
      LOGGER.log(
          found.kind == Kind.CONFIGURATION
              ? System.Logger.Level.ERROR
              : System.Logger.Level.WARNING,
          "Redis at {0}: {1}",
          connections.target(),
          found.message);
    }
  }

  @Override
  public void close() {
    Connection last;
    synchronized (this) {
      isClosed = true;
      trusted = null;
      last = connection;
    }
    news.close();
    if (last != null) {
      last.close();
    }
  }
}
