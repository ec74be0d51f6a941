package dev.weir.redis;

import dev.weir.redis.RedisStoreException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
  private final @Nullable Neighbours neighbours;
  private final RoomNews news;
  private final Caretaker caretaker;
  private final long timeoutNanos;
  private final Duration connectTimeout;

  private final Queue<Asked> waiting = new ConcurrentLinkedQueue<>();
  private final Queue<Trip> onTheirWay = new ConcurrentLinkedQueue<>();
  private final AtomicInteger free;
  private final AtomicInteger wishesToSend = new AtomicInteger();

  private final long since = System.nanoTime();
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

  /** The other servers of a cluster. */
  interface Neighbours {
    /** Finds another way for what a server says is not its own. */
    void redirected(Courier from, Asked asked, Redirect redirect);

    /** A hash tag whose keys that server is in charge of; the same as long as that holds. */
    String markerTag(Courier of);
  }

  /** Batches on their way together. */
  private record Trip(List<Batch> batches, long sentAt, AtomicInteger unanswered) {
    Trip(List<Batch> batches) {
      this(batches, System.nanoTime(), new AtomicInteger(batches.size()));
    }
  }

  /** Why connections fail. */
  private record Trouble(Kind kind, String message) {}

  /**
   * A courier to one server.
   *
   * @param connections how to get there
   * @param names of the keys there
   * @param clock what that server's clock says
   * @param options time-outs
   * @param neighbours the other servers of its cluster; null if it belongs to none
   * @param refusals who has to hear when counters have room again
   */
  Courier(
      Connection.Factory connections,
      KeyNames names,
      ServerClock clock,
      RedisOptions options,
      @Nullable Neighbours neighbours,
      Refusals refusals) {
    this.connections = connections;
    this.names = names;
    this.clock = clock;
    this.neighbours = neighbours;
    this.news = new RoomNews(connections, names.channel(), refusals);
    String id = UUID.randomUUID().toString();
    this.caretaker =
        new Caretaker(
            connections.target(),
            connections.isFailedOver(),
            () -> names.marker(neighbours == null ? "weir" : neighbours.markerTag(this), id),
            refusals::forgetAll);
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

  /** Whether we would hear at once that a counter there has room again. */
  boolean isHeard() {
    return isTrusted && news.isHeard();
  }

  String target() {
    return connections.target();
  }

  /** Which masters serve which slots, as this node of a cluster knows. */
  CompletionStage<List<Connection.SlotRange>> slots() {
    Connection current = connection;
    return current == null
        ? CompletableFuture.failedStage(new IllegalStateException("there is no connection"))
        : current.slots();
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
      asked.fail(Kind.UNREACHABLE, "the store is closed", null);
    } else if (!isTrusted) {
      Trouble known = trouble;
      if (known == null) {
        asked.fail(Kind.NOT_ASKED, said("does not answer"), null);
      } else {
        asked.fail(known.kind, said(known.message), null);
      }
    } else {
      queue(asked);
      send();
    }
  }

  private void queue(Asked asked) {
    if (clock.isGiven()) {
      // In the order of their times, lest time goes back where it did not.
      synchronized (waiting) {
        asked.timeMicros = clock.toUse();
        waiting.add(asked);
      }
    } else {
      waiting.add(asked);
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
        sendTrip();
      }
      wishes = wishesToSend.addAndGet(-wishes);
    } while (wishes > 0);
  }

  private void sendTrip() {
    List<Batch> batches = nextBatches();
    Connection current = connection;
    if (batches.isEmpty()) {
      return;
    }
    if (current == null) {
      for (Batch batch : batches) {
        fail(batch, Kind.UNREACHABLE, "there is no connection", null);
      }
      return;
    }
    Trip trip = new Trip(batches);
    free.decrementAndGet();
    onTheirWay.add(trip);
    for (Batch batch : batches) {
      run(current, batch)
          .whenComplete((reply, failure) -> back(trip, batch, current, reply, failure));
    }
  }

  /** What waits, in as few batches as it can be done with. */
  private List<Batch> nextBatches() {
    Batch first = null;
    List<Batch> batches = new ArrayList<>(1);
    Asked next;
    for (int i = 0; i < MOST_IN_BATCH && (next = waiting.poll()) != null; i++) {
      if (next.answer.isDone()) {
        continue;
      }
      if (first == null || !first.isFor(next)) {
        first = batchFor(next, batches);
      }
      first.add(next);
    }
    return batches;
  }

  private Batch batchFor(Asked asked, List<Batch> batches) {
    // Times that are given must keep their order.
    for (Batch batch : clock.isGiven() ? List.<Batch>of() : batches) {
      if (batch.isFor(asked)) {
        return batch;
      }
    }
    Batch batch = new Batch(names, asked);
    batches.add(batch);
    return batch;
  }

  /** Fails by its stage only. */
  private CompletionStage<byte[]> run(Connection current, Batch batch) {
    try {
      byte[] request =
          batch.request(clock.deadlineMicros(timeoutNanos), clock.nowMicros(), names.channel());
      return current.run(script, batch.keys(), request, batch.isForImport());
    } catch (RuntimeException failure) {
      return CompletableFuture.failedStage(failure);
    }
  }

  private void back(
      Trip trip,
      Batch batch,
      Connection from,
      byte @Nullable [] reply,
      @Nullable Throwable failure) {
    if (trip.unanswered.decrementAndGet() == 0) {
      onTheirWay.remove(trip);
      free.incrementAndGet();
    }
    if (reply != null && from == connection && from.isOpen() && !isClosed) {
      isTrusted = true;
    }
    if (reply == null) {
      failed(batch, from, failure);
    } else {
      try {
        for (Asked again : batch.read(reply, now -> clock.heard(trip.sentAt, now))) {
          bring(again);
        }
      } catch (RuntimeException unreadable) {
        fail(batch, Kind.BROKEN_ANSWER, "the answer cannot be read", unreadable);
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
    Redirect redirect = Redirect.in(reply);
    if (neighbours != null && redirect != null) {
      batch.all().forEach(asked -> neighbours.redirected(this, asked, redirect));
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
    fail(batch, ErrorReply.kindOf(reply), ErrorReply.explained(reply), failure);
  }

  private void fail(Batch batch, Kind kind, String message, @Nullable Throwable cause) {
    caretaker.failed(message);
    for (Asked asked : batch.all()) {
      asked.fail(kind, said(message), cause);
    }
  }

  private String said(String message) {
    return "Redis at %s: %s".formatted(connections.target(), message);
  }

  /** Looks after time-outs and the connection; called again and again by one thread. */
  void tick() {
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
      if (caretaker.unansweredNanos(now) > Math.max(SILENCE_NANOS, timeoutNanos)) {
        LOGGER.log(System.Logger.Level.WARNING, "Redis at {0} is silent", connections.target());
        isTrusted = false;
        silentSince = now - SILENCE_NANOS;
      }
    }
    news.tick(now, isTrusted);
  }

  /** Nobody waits any longer for what is on its way or has not left. */
  private void giveUp() {
    String message = "no answer within %d ms".formatted(timeoutNanos / 1_000_000);
    for (Trip trip : onTheirWay) {
      trip.batches.forEach(batch -> fail(batch, Kind.TIMEOUT, message, null));
    }
    for (Asked asked = waiting.poll(); asked != null; asked = waiting.poll()) {
      asked.fail(Kind.NOT_ASKED, said(message), null);
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
    Batch nothing = Batch.empty(names);
    long sentAt = System.nanoTime();
    byte[] request = nothing.request(0, clock.nowMicros(), names.channel());
    return opened
        .run(script, nothing.keys(), request, false)
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
    news.renew();
    trust();
    return true;
  }

  /** How long it has been there. */
  long ageNanos() {
    return System.nanoTime() - since;
  }

  /** Whether an answer is still to come. */
  boolean isBusy() {
    return !onTheirWay.isEmpty() || !waiting.isEmpty();
  }

  /** Fails what is still on its way, and ends the connection. */
  @Override
  public void close() {
    isClosed = true;
    isTrusted = false;
    giveUp();
    news.close();
    Connection current = connection;
    if (current != null) {
      current.close();
    }
  }
}
