package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.process.Await;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CrowdTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private static Iterator<String> keys(int count) {
    return Collections.nCopies(count, "user:1").iterator();
  }

  @Test
  void keepsAsManyInFlightAsItHasClients() throws InterruptedException {
    int clients = 8;
    int requests = clients * 20;
    AtomicInteger sent = new AtomicInteger();
    Queue<CompletableFuture<Boolean>> inFlight = new ConcurrentLinkedQueue<>();
    Crowd.Request request =
        key -> {
          CompletableFuture<Boolean> answer = new CompletableFuture<>();
          inFlight.add(answer);
          sent.incrementAndGet();
          return answer;
        };

    Crowd crowd = Crowd.start(request, true, clients, client -> keys(20));
    for (int answered = 0; answered < requests; answered++) {
      int expected = Math.min(clients + answered, requests);
      Await.until("every client has a request in flight", TIMEOUT, () -> sent.get() >= expected);
      assertThat(sent).hasValue(expected);
      inFlight.remove().complete(true);
    }
    Tally tally = crowd.await();

    assertThat(tally.count()).isEqualTo(requests);
    assertThat(tally.failed() + tally.wrong()).isZero();
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
  void asksOneByOne() throws InterruptedException {
    Tally tally =
        Crowd.oneByOne(
            key -> CompletableFuture.completedFuture(true), true, 1_000_000, 11, keys(11));

    assertThat(tally.count()).isEqualTo(11);
    assertThat(tally.failed() + tally.wrong()).isZero();
  }
}
