package dev.weir.redis;

import dev.weir.redis.RedisStoreException.Kind;
import java.time.Duration;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Brings operations to one server and answers back.
 *
 * <p>What is asked while nothing is on its way goes at once and alone. What is asked while
 * something is on its way waits and goes together, in one call of the script: the busier the
 * server, the more decisions share the cost of a call.
 *
 * <p>An answer that does not come in time is no longer waited for, and from then on the server is
 * not trusted: whoever asks is told so at once, while pings off their way find out when it answers
 * again. A connection that has been silent for two seconds is replaced, and so is one to a server
 * that has become a replica. While there is no connection, whoever asks is told why. What is on its
 * way carries a deadline by the server's own clock, after which the script does nothing; so a
 * server that was frozen does not count what nobody waits for any more.
 */
final class Courier implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(Courier.class.getName());

  /** Few enough that one call does not keep other clients of the server waiting. */
  private static final int MOST_IN_BATCH = 64;

  /** So that the server works on one batch while the next is made. */
  private static final int MOST_ON_THEIR_WAY = 2;

  private static final long PROBE_NANOS = Duration.ofMillis(50).toNanos();
  private static final long SILENCE_NANOS = Duration.ofSeconds(2).toNanos();

  private final Script script = Script.named("apply.lua");
  private final Connection.Factory connections;
  private final KeyNames names;
  private final ServerClock clock;
  private final Caretaker caretaker;
  private final long timeoutNanos;
  private final Duration connectTimeout;

  private final Queue<Asked> waiting = new ConcurrentLinkedQueue<>();
  private final Queue<Trip> onTheirWay = new ConcurrentLinkedQueue<>();
  private final AtomicInteger free;
  private final AtomicInteger wishesToSend = new AtomicInteger();

  private final CompletableFuture<@Nullable Void> firstTry = new CompletableFuture<>();
  private volatile @Nullable Connection connection;
  private volatile boolean isTrusted;
  private volatile boolean isClosed;

  private volatile boolean isConnecting;
  private volatile boolean isProbing;

  /** Only tick() uses it. */
  private long probedAt;

  private volatile long silentSince;

  /** Why there is no connection; null as long as there is one, or the first is being opened. */
  private volatile @Nullable Trouble trouble;

  /** A batch on its way. */
  private record Trip(Batch batch, long sentAt) {}

  /** Why connections fail. */
  private record Trouble(Kind kind, String message) {}

  Courier(Connection.Factory connections, KeyNames names, ServerClock clock, RedisOptions options) {
    this.connections = connections;
    this.names = names;
    this.clock = clock;
    String id = UUID.randomUUID().toString();
    this.caretaker =
        new Caretaker(
            connections.target(),
            connections.isFailedOver(),
            () -> names.marker(connections.markerTag(), id));
    this.timeoutNanos = options.commandTimeout().toNanos();
    this.connectTimeout = options.connectTimeout();
    this.probedAt = System.nanoTime() - PROBE_NANOS;
    // The client may send two batches in another order than they were made. The server's own clock
    // does not mind; times that are given would go back.
    this.free = new AtomicInteger(clock.isGiven() ? 1 : MOST_ON_THEIR_WAY);
  }

  /** Completes when the server was reached, or could not be, for the first time. */
  CompletableFuture<@Nullable Void> firstTry() {
    return firstTry;
  }

  /** Whether the server answered when it was last asked. */
  boolean isTrusted() {
    return isTrusted;
  }

  /** Who looks after the server. */
  Caretaker caretaker() {
    return caretaker;
  }

  /** How the server is. */
  RedisHealth.Server health() {
    return caretaker.health(isTrusted);
  }

  /** Brings an operation to the server. */
  void bring(Asked asked) {
    if (asked.answer.isDone()) {
      return;
    }
    if (isClosed) {
      fail(asked, Kind.UNREACHABLE, "the store is closed");
    } else if (!isTrusted) {
      Trouble known = trouble;
      if (known == null) {
        fail(asked, Kind.NOT_ASKED, "Redis at %s does not answer".formatted(connections.target()));
      } else {
        fail(asked, known.kind, "Redis at %s: %s".formatted(connections.target(), known.message));
      }
    } else {
      waiting.add(asked);
      send();
    }
  }

  /** Sends what waits, as long as there is something to send it with; one thread at a time. */
  private void send() {
    if (wishesToSend.getAndIncrement() > 0) {
      return;
    }
    int wishes = 1;
    do {
      while (!waiting.isEmpty() && free.get() > 0) {
        sendBatch();
      }
      wishes = wishesToSend.addAndGet(-wishes);
    } while (wishes > 0);
  }

  private void sendBatch() {
    Batch batch = new Batch(names);
    Asked next;
    while (batch.all().size() < MOST_IN_BATCH && (next = waiting.poll()) != null) {
      if (!next.answer.isDone()) {
        batch.add(next);
      }
    }
    Connection current = connection;
    if (batch.all().isEmpty()) {
      return;
    }
    if (current == null) {
      fail(batch, Kind.UNREACHABLE, "there is no connection", null);
      return;
    }
    Trip trip = new Trip(batch, System.nanoTime());
    free.decrementAndGet();
    onTheirWay.add(trip);
    run(current, batch).whenComplete((reply, failure) -> back(trip, current, reply, failure));
  }

  /** Fails by its stage only. */
  private CompletionStage<byte[]> run(Connection current, Batch batch) {
    try {
      byte[] request =
          batch.request(clock.toUse(), clock.deadlineMicros(timeoutNanos), clock.nowMicros());
      return current.run(script, batch.keys(), request);
    } catch (RuntimeException failure) {
      return CompletableFuture.failedStage(failure);
    }
  }

  private void back(
      Trip trip, Connection from, byte @Nullable [] reply, @Nullable Throwable failure) {
    onTheirWay.remove(trip);
    free.incrementAndGet();
    if (reply != null && from == connection && from.isOpen() && !isClosed) {
      isTrusted = true;
    }
    if (reply == null) {
      failed(trip.batch, from, failure);
    } else {
      try {
        for (Asked again : trip.batch.read(reply, now -> clock.heard(trip.sentAt, now))) {
          bring(again);
        }
      } catch (RuntimeException unreadable) {
        fail(trip.batch, Kind.BROKEN_ANSWER, "the answer cannot be read", unreadable);
      }
    }
    send();
  }

  private void failed(Batch batch, Connection from, @Nullable Throwable failure) {
    String reply = ErrorReply.in(failure);
    if (reply == null) {
      // One that was replaced meanwhile says nothing about the server.
      if (from == connection) {
        isTrusted = false;
      }
      fail(batch, Kind.LOST, "the connection broke before the answer came", failure);
      return;
    }
    if (ErrorReply.isFromReplica(reply)) {
      // It was the master, and goes on as if nothing had happened: whoever asks anew is told which
      // server is the master now.
      LOGGER.log(
          System.Logger.Level.WARNING,
          "Redis at {0} is a replica now; connecting anew",
          connections.target());
      isTrusted = false;
      from.close();
    }
    fail(batch, ErrorReply.kindOf(reply), reply, failure);
  }

  private void fail(Batch batch, Kind kind, String message, @Nullable Throwable cause) {
    RedisStoreException failure =
        new RedisStoreException(
            kind, "Redis at %s: %s".formatted(connections.target(), message), cause);
    caretaker.failed(message);
    for (Asked asked : batch.all()) {
      asked.answer.completeExceptionally(failure);
    }
  }

  private static void fail(Asked asked, Kind kind, String message) {
    asked.answer.completeExceptionally(new RedisStoreException(kind, message, null));
  }

  /** Looks after time-outs and the connection; called again and again by one thread. */
  void tick() {
    try {
      lookAfter();
    } catch (RuntimeException failure) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "looking after Redis at " + connections.target() + " failed; it goes on",
          failure);
    }
  }

  private void lookAfter() {
    long now = System.nanoTime();
    Trip oldest = onTheirWay.peek();
    if (oldest != null && now - oldest.sentAt > timeoutNanos) {
      if (isTrusted) {
        LOGGER.log(
            System.Logger.Level.WARNING,
            "Redis at {0} has not answered for {1} ms; it is not asked until it answers a ping",
            connections.target(),
            (now - oldest.sentAt) / 1_000_000);
        isTrusted = false;
        silentSince = oldest.sentAt;
      }
      giveUp();
    }
    Connection current = connection;
    if (isTrusted && current != null && !current.isOpen()) {
      LOGGER.log(System.Logger.Level.WARNING, "Redis at {0} has hung up", connections.target());
      caretaker.failed("the connection broke");
      isTrusted = false;
    }
    if (!isTrusted) {
      probe(now);
    } else if (current != null) {
      caretaker.tick(current, now);
    }
  }

  /** Nobody waits any longer for what is on its way or has not left. */
  private void giveUp() {
    String message = "no answer within %d ms".formatted(timeoutNanos / 1_000_000);
    for (Trip trip : onTheirWay) {
      fail(trip.batch, Kind.TIMEOUT, message, null);
    }
    for (Asked asked = waiting.poll(); asked != null; asked = waiting.poll()) {
      fail(asked, Kind.NOT_ASKED, "Redis at %s: %s".formatted(connections.target(), message));
    }
  }

  private void probe(long now) {
    Connection current = connection;
    if (current != null && (!current.isOpen() || now - silentSince > SILENCE_NANOS)) {
      current.close();
      connection = null;
      current = null;
      isProbing = false;
    }
    if (now - probedAt < PROBE_NANOS || isConnecting || isProbing) {
      return;
    }
    probedAt = now;
    if (current == null) {
      connect();
    } else {
      isProbing = true;
      Connection probed = current;
      probed
          .ping()
          .whenComplete(
              (pong, failure) -> {
                isProbing = false;
                if (failure == null && probed == connection && !isClosed) {
                  trust();
                }
              });
    }
  }

  private void trust() {
    isTrusted = true;
    LOGGER.log(System.Logger.Level.INFO, "Redis at {0} answers", connections.target());
  }

  /** Opens a connection, and takes it if the server runs the script on it. */
  private void connect() {
    isConnecting = true;
    CompletionStage<?> greeted =
        connections
            .connect()
            .thenCompose(this::greet)
            .toCompletableFuture()
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

  /** The first call loads the script, and tells what the server's clock says. */
  private CompletionStage<?> greet(Connection opened) {
    Batch nothing = new Batch(names);
    long sentAt = System.nanoTime();
    return opened
        .run(script, nothing.keys(), nothing.request(clock.toUse(), 0, clock.nowMicros()))
        .whenComplete(
            (reply, failure) -> {
              boolean isTaken = false;
              try {
                if (reply != null) {
                  nothing.read(reply, now -> clock.heard(sentAt, now));
                  isTaken = take(opened);
                }
              } finally {
                if (!isTaken) {
                  opened.close();
                }
              }
            });
  }

  /** Takes a connection unless another came first, when a server thaws that many waited for. */
  private synchronized boolean take(Connection opened) {
    if (isClosed || connection != null) {
      return false;
    }
    connection = opened;
    silentSince = System.nanoTime();
    trouble = null;
    trust();
    return true;
  }

  /** Fails what is still on its way, and ends all connections. */
  @Override
  public void close() {
    isClosed = true;
    isTrusted = false;
    giveUp();
    connections.close();
  }
}
