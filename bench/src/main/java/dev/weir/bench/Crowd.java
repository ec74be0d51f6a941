package dev.weir.bench;

import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Clients that ask all at once, each again as soon as it is answered: as many requests are in
 * flight as there are clients.
 *
 * <p>The next request is sent by the thread that brings the answer, so the machine does little else
 * than what is measured. Answers that are there at once, without the server, would never let that
 * thread go: after a number of them the client goes on in another, one of as many as the machine
 * has cores.
 */
final class Crowd {

  /** Answers in a row that were there at once before another client has its turn. */
  private static final int MOST_AT_ONCE = 64;

  private static final long PATIENCE_SECONDS = 300;

  /** Sends a request. */
  interface Request {
    CompletionStage<Boolean> send(String key);
  }

  private final Request request;
  private final CountDownLatch busy;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
  private final Queue<Tally> tallies = new ConcurrentLinkedQueue<>();
  private final ThreadLocal<Tally> tally;
  private final boolean wanted;

  private Crowd(Request request, boolean wanted, int size) {
    this.request = request;
    this.wanted = wanted;
    this.busy = new CountDownLatch(size);
    this.tally = ThreadLocal.withInitial(this::newTally);
  }

  private Tally newTally() {
    Tally mine = new Tally(wanted);
    tallies.add(mine);
    return mine;
  }

  /**
   * Lets clients ask.
   *
   * @param wanted what every answer has to be
   * @param size how many they are
   * @param keys what each of them asks for; it goes home when there is no more
   */
  static Crowd start(
      Request request, boolean wanted, int size, IntFunction<Iterator<String>> keys) {
    Crowd crowd = new Crowd(request, wanted, size);
    for (int i = 0; i < size; i++) {
      Iterator<String> mine = keys.apply(i);
      crowd.threads.execute(() -> crowd.goOn(mine));
    }
    return crowd;
  }

  /** Waits until all have gone home, and tells what came of it. */
  Tally await() throws InterruptedException {
    boolean gone = busy.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    threads.shutdownNow();
    if (!gone) {
      throw new IllegalStateException(
          "%d clients still wait or ask after %d s".formatted(busy.getCount(), PATIENCE_SECONDS));
    }
    Tally all = new Tally(wanted);
    tallies.forEach(all::add);
    return all;
  }

  private void goOn(Iterator<String> keys) {
    for (int i = 0; i < MOST_AT_ONCE; i++) {
      if (!keys.hasNext()) {
        busy.countDown();
        return;
      }
      long sent = System.nanoTime();
      CompletionStage<Boolean> answer = send(keys.next());
      boolean isThere = answer.toCompletableFuture().isDone();
      answer.whenComplete(
          (allowed, failure) -> {
            tally.get().count(sent, allowed, failure);
            if (!isThere) {
              goOn(keys);
            }
          });
      if (!isThere) {
        return;
      }
    }
    threads.execute(() -> goOn(keys));
  }

  private CompletionStage<Boolean> send(String key) {
    try {
      return request.send(key);
    } catch (RuntimeException unsent) {
      return CompletableFuture.failedStage(unsent);
    }
  }

  /** Asks one after the other, that many times a second, and waits for each answer. */
  static Tally oneByOne(
      Request request, boolean wanted, int perSecond, int count, Iterator<String> keys)
      throws InterruptedException {
    Tally tally = new Tally(wanted);
    long interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
    long due = System.nanoTime();
    for (int i = 0; i < count; i++) {
      TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
      due += interval;
      long sent = System.nanoTime();
      request
          .send(keys.next())
          .toCompletableFuture()
          .handle((allowed, failure) -> counted(tally, sent, allowed, failure))
          .join();
    }
    return tally;
  }

  private static Tally counted(
      Tally tally, long sent, @Nullable Boolean allowed, @Nullable Throwable failure) {
    tally.count(sent, allowed, failure);
    return tally;
  }
}
