package dev.weir.redis;

import dev.weir.redis.RedisStoreException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings operations to one server and answers back.
 *
 * <p>What is asked while nothing is on its way goes at once and alone. What is asked while
 * something is on its way waits and goes together, in one call of the script: the busier the
 * server, the more decisions share the cost of a call.
 *
 * <p>An answer that does not come in time is no longer waited for, and from then on, until the
 * {@link Link} trusts the server again, whoever asks is told at once why not. What is on its way
 * carries a deadline by the server's own clock, after which the script does nothing; so a server
 * that was frozen does not count what nobody waits for any more.
 */
final class Courier implements AutoCloseable {
  /** Few enough that one call does not keep other clients of the server waiting. */
  private static final int MOST_IN_BATCH = 64;

  /** So that the server works on one batch while the next is made. */
  private static final int MOST_ON_THEIR_WAY = 2;

  private final Script script = Script.named("apply.lua");
  private final Connection.Factory connections;
  private final KeyNames names;
  private final ServerClock clock;
  private final @Nullable Neighbours neighbours;
  private final RoomNews news;
  private final Caretaker caretaker;
  private final Link link;
  private final long timeoutNanos;

  private final Queue<Asked> waiting = new ConcurrentLinkedQueue<>();
  private final Queue<Trip> onTheirWay = new ConcurrentLinkedQueue<>();
  private final AtomicInteger free;
  private final AtomicInteger wishesToSend = new AtomicInteger();

  private final long since = System.nanoTime();

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

  /**
   * A courier to one server.
   *
   * @param connections how to get there
   * @param names of the keys there
   * @param clock what that server's clock says
   * @param options time-outs
   * @param neighbours the other servers of its cluster; null if it belongs to none
   * @param refusals who has to hear when counters have room again
   * @param timings how often the server is checked
   */
  Courier(
      Connection.Factory connections,
      KeyNames names,
      ServerClock clock,
      RedisOptions options,
      @Nullable Neighbours neighbours,
      Refusals refusals,
      Timings timings) {
    this.connections = connections;
    this.names = names;
    this.clock = clock;
    this.neighbours = neighbours;
    this.news = new RoomNews(connections, names.channel(), refusals, timings, System::nanoTime);
    String id = UUID.randomUUID().toString();
    this.caretaker =
        new Caretaker(
            connections.target(),
            connections.isFailedOver(),
            () -> names.marker(neighbours == null ? "weir" : neighbours.markerTag(this), id),
            refusals::forgetAll,
            timings);
    this.link =
        new Link(connections, this::greet, caretaker, news, options, timings, System::nanoTime);
    this.timeoutNanos = options.commandTimeout().toNanos();
    // The client may send two batches in another order than they were made. The server's own clock
    // does not mind; times that are given would go back.
    this.free = new AtomicInteger(clock.isGiven() ? 1 : MOST_ON_THEIR_WAY);
  }

  /** Completes when the server was reached, or could not be, for the first time. */
  CompletableFuture<@Nullable Void> firstTry() {
    return link.firstTry();
  }

  /** Whether the server answered when it was last asked. */
  boolean isTrusted() {
    return link.isTrusted();
  }

  /** Whether we would hear at once that a counter there has room again. */
  boolean isHeard() {
    return link.isTrusted() && news.isHeard();
  }

  String target() {
    return connections.target();
  }

  /** Which masters serve which slots, as this node of a cluster knows. */
  CompletionStage<List<Connection.SlotRange>> slots() {
    Connection current = link.connection();
    return current == null
        ? CompletableFuture.failedStage(new IllegalStateException("there is no connection"))
        : current.slots();
  }

  /** How the server is. */
  RedisHealth.Server health() {
    return caretaker.health(link.isTrusted());
  }

  /** Brings an operation to the server. */
  void bring(Asked asked) {
    if (asked.answer.isDone()) {
      return;
    }
    if (!link.isTrusted()) {
      Link.Trouble trouble = link.trouble();
      asked.fail(trouble.kind(), said(trouble.message()), null);
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
    Connection current = link.connection();
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
    if (reply == null) {
      failed(batch, from, failure);
    } else {
      link.answered(from);
      // A clock set by a late answer would be ahead by as much as the answer is late, and so would
      // be the deadlines of what is sent next.
      boolean isInTime = System.nanoTime() - trip.sentAt <= timeoutNanos;
      LongConsumer time = isInTime ? now -> clock.heard(trip.sentAt, now) : now -> {};
      try {
        for (Asked again : batch.read(reply, time)) {
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
      link.broke(from);
      fail(batch, Kind.LOST, "the connection broke before the answer came", failure);
      return;
    }
    Redirect redirect = Redirect.in(reply);
    if (neighbours != null && redirect != null) {
      batch.all().forEach(asked -> neighbours.redirected(this, asked, redirect));
      return;
    }
    if (ErrorReply.isFromReplica(reply)) {
      link.becameReplica(from);
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
      link.answersLate(oldest.sentAt, now);
      giveUp();
    }
    link.tick(now);
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

  /** The first call loads the script, and tells what the server's clock says. */
  private CompletionStage<?> greet(Connection opened) {
    Batch nothing = Batch.empty(names);
    long sentAt = System.nanoTime();
    byte[] request = nothing.request(0, clock.nowMicros(), names.channel());
    return opened
        .run(script, nothing.keys(), request, false)
        .thenAccept(reply -> nothing.read(reply, now -> clock.heard(sentAt, now)));
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
    link.close();
    giveUp();
  }
}
