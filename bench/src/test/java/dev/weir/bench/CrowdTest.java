package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CrowdTest {

  private static Iterator<String> keys(int count) {
    return Collections.nCopies(count, "user:1").iterator();
  }

  @Test
  void keepsAsManyInFlightAsItHasClients() throws InterruptedException {
    AtomicInteger inFlight = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Executor server = CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS);
    Crowd.Request request =
        key -> {
          int now = inFlight.incrementAndGet();
          most.accumulateAndGet(now, Math::max);
          return CompletableFuture.supplyAsync(() -> inFlight.decrementAndGet() >= 0, server);
        };

    Tally tally = Crowd.start(request, true, 8, client -> keys(20)).await();

    assertThat(tally.count()).isEqualTo(160);
    assertThat(tally.failed() + tally.wrong()).isZero();
    assertThat(most).hasValueBetween(2, 8);
    assertThat(tally.micros(50)).isGreaterThan(900);
  }

  @Test
  void asksOnWhenAnswersAreThereAtOnce() throws InterruptedException {
    CompletionStage<Boolean> answer = CompletableFuture.completedFuture(true);

    Tally tally = Crowd.start(key -> answer, true, 4, client -> keys(100_000)).await();

    assertThat(tally.count()).isEqualTo(400_000);
  }

  @Test
  void countsWrongAnswersAndFailures() throws InterruptedException {
    Iterator<Crowd.Request> answers =
        List.<Crowd.Request>of(
                key -> CompletableFuture.completedFuture(true),
                key -> CompletableFuture.completedFuture(false),
                key -> CompletableFuture.failedStage(new IllegalStateException("lost")),
                key -> {
                  throw new IllegalStateException("not sent");
                })
            .iterator();

    Tally tally = Crowd.start(key -> answers.next().send(key), false, 1, client -> keys(4)).await();

    assertThat(tally.count()).isEqualTo(4);
    assertThat(tally.wrong()).isEqualTo(1);
    assertThat(tally.failed()).isEqualTo(2);
  }

  @Test
  void asksOneByOneAtItsRate() throws InterruptedException {
    long start = System.nanoTime();

    Tally tally =
        Crowd.oneByOne(key -> CompletableFuture.completedFuture(true), true, 100, 11, keys(11));

    assertThat(tally.count()).isEqualTo(11);
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(100_000_000);
  }
}
