package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What may happen between the question to a store and its answer. */
class WaitingLineTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Answers when it is told to; refunds at once, unless told otherwise. */
  private static final class SlowStore implements CounterStore {
    private record Question(Operation operation, CompletableFuture<Decision> answer) {}

    final MemoryCounterStore counters;
    final Deque<Question> questions = new ArrayDeque<>();
    boolean holdsRefunds;

    SlowStore(TimeSource time) {
      this.counters = new MemoryCounterStore(time, 10);
    }

    @Override
    public CompletionStage<Decision> apply(Operation operation) {
      if (operation instanceof Operation.Refund && !holdsRefunds) {
        return counters.apply(operation);
      }
      CompletableFuture<Decision> answer = new CompletableFuture<>();
      questions.add(new Question(operation, answer));
      return answer;
    }

    @Override
    public void close() {
      counters.close();
    }

    /** Decides the oldest question now, does that, and then answers. */
    void answerAfter(Class<? extends Operation> expected, Runnable meanwhile) {
      Question question = questions.remove();
      assertThat(question.operation).isInstanceOf(expected);
      Decision decision = counters.applyNow(question.operation);
      meanwhile.run();
      question.answer.complete(decision);
    }

    void answer(Class<? extends Operation> expected) {
      answerAfter(expected, () -> {});
    }

    void answerNewest() {
      Question question = questions.removeLast();
      question.answer.complete(counters.applyNow(question.operation));
    }

    void fail() {
      questions.remove().answer.completeExceptionally(new IllegalStateException("store is gone"));
    }

    void failNewest() {
      questions
          .removeLast()
          .answer
          .completeExceptionally(new IllegalStateException("store is gone"));
    }

    void use(long cost) {
      counters.applyNow(new Operation.Acquire(counter(), cost));
    }

    long remaining() {
      return counters.applyNow(new Operation.Peek(counter(), 0)).remaining();
    }

    private static List<Counter> counter() {
      return List.of(new Counter("limiter", "k", Limit.perSecond(10)));
    }
  }

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
  private final SlowStore store = new SlowStore(time);
  private final List<String> told = new ArrayList<>();
  private final RateLimiter limiter =
      RateLimiter.builder()
          .store(store)
          .time(time)
          .limit("10/s")
          .listener((key, cost, decision) -> told.add(cost + " " + decision.reason()))
          .build();

  private CompletableFuture<Decision> async(long cost, Duration maxWait) {
    return limiter.acquireAsync("k", cost, maxWait);
  }

  @Test
  void looksAndThenTakes() {
    CompletableFuture<Decision> due = async(4, MINUTE);
    store.answer(Operation.Peek.class);
    assertThat(due).isNotDone();
    store.answer(Operation.Acquire.class);

    assertThat(due.join().remaining()).isEqualTo(6);
    assertThat(store.questions).isEmpty();
    assertThat(told).containsExactly("4 within_limits");
  }

  @Test
  void permitsTakenForNobodyAreGivenBack() {
    CompletableFuture<Decision> due = async(4, MINUTE);
    store.answer(Operation.Peek.class);
    store.answerAfter(Operation.Acquire.class, () -> due.cancel(false));

    assertThat(due).isCancelled();
    assertThat(store.remaining()).isEqualTo(10);
    assertThat(told).isEmpty();
  }

  @Test
  void aRefusalForNobodyGivesNothingBack() {
    store.use(10);
    CompletableFuture<Decision> due = async(4, Duration.ZERO);
    store.answer(Operation.Peek.class);
    store.answerAfter(Operation.Acquire.class, () -> due.cancel(false));

    assertThat(store.remaining()).isZero();
  }

  @Test
  void whoLosesThePermitsBetweenLookingAndTakingWaitsOn() {
    CompletableFuture<Decision> due = async(4, MINUTE);
    store.answer(Operation.Peek.class);
    store.use(10);
    store.answer(Operation.Acquire.class);
    assertThat(due).isNotDone();
    assertThat(store.questions).isEmpty();
    time.advance(Duration.ofMillis(400));
    store.answer(Operation.Peek.class);
    store.answer(Operation.Acquire.class);

    assertThat(due.join().allowed()).isTrue();
    assertThat(told).containsExactly("4 within_limits");
  }

  @Test
  void whoLosesThePermitsAndHasNoTimeIsRefused() {
    CompletableFuture<Decision> due = async(4, Duration.ofMillis(399));
    store.answer(Operation.Peek.class);
    store.use(10);
    store.answer(Operation.Acquire.class);

    assertThat(due.join().reason()).isEqualTo(Reason.LIMIT_EXCEEDED);
  }

  @Test
  void aFailureToLookOrToTakeLeavesTheLine() {
    CompletableFuture<Decision> looking = async(4, MINUTE);
    CompletableFuture<Decision> behind = async(5, MINUTE);
    store.fail();
    assertThat(looking).isCompletedExceptionally();
    // Standing behind, and then first.
    store.answer(Operation.Peek.class);
    store.answer(Operation.Peek.class);
    store.fail();
    assertThat(behind).isCompletedExceptionally();
    CompletableFuture<Decision> next = async(6, MINUTE);
    store.answer(Operation.Peek.class);
    store.answer(Operation.Acquire.class);

    assertThat(next.join().remaining()).isEqualTo(4);
    assertThat(told).containsExactly("6 within_limits");
  }

  @Test
  void aFailureBehindOthersIsNotTheirs() {
    CompletableFuture<Decision> first = async(4, MINUTE);
    CompletableFuture<Decision> behind = async(5, MINUTE);
    store.failNewest();

    assertThat(behind).isCompletedExceptionally();
    assertThat(first).isNotDone();
  }

  @Test
  void aFailureWhenTheTimeIsUpLeavesTheLine() {
    CompletableFuture<Decision> first = async(4, MINUTE);
    CompletableFuture<Decision> behind = async(5, Duration.ofSeconds(1));
    CompletableFuture<Decision> last = async(6, Duration.ofSeconds(1));
    store.use(10);
    store.answer(Operation.Peek.class);
    store.answer(Operation.Peek.class);
    store.answer(Operation.Peek.class);
    first.cancel(false);
    assertThat(store.questions).hasSize(1);
    time.advance(Duration.ofSeconds(1));
    store.answer(Operation.Peek.class);
    store.fail();

    assertThat(last).isCompletedExceptionally();
    store.answer(Operation.Acquire.class);
    assertThat(behind.join().allowed()).isTrue();
  }

  @Test
  void cancellingWhileTheStoreIsAskedAsksItNoMore() {
    CompletableFuture<Decision> first = async(4, MINUTE);
    first.cancel(false);
    store.answer(Operation.Peek.class);
    if (!store.questions.isEmpty()) {
      // Taken for nobody, and given back.
      store.answer(Operation.Acquire.class);
    }

    assertThat(store.questions).isEmpty();
    assertThat(store.remaining()).isEqualTo(10);
  }

  @Test
  void whatIsGivenBackDuringALookIsNotMissed() {
    store.use(10);
    CompletableFuture<Decision> due = async(4, MINUTE);
    store.answerAfter(Operation.Peek.class, () -> limiter.refund("k", 10));
    assertThat(due).isNotDone();
    store.answer(Operation.Peek.class);
    store.answer(Operation.Acquire.class);

    assertThat(due.join().remaining()).isEqualTo(6);
  }

  @Test
  void givingBackBlocksNobody() {
    CompletableFuture<Decision> due = async(4, MINUTE);
    store.answer(Operation.Peek.class);
    store.holdsRefunds = true;
    store.answerAfter(Operation.Acquire.class, () -> due.cancel(false));
    assertThat(store.remaining()).isEqualTo(6);
    CompletableFuture<Decision> next = async(10, MINUTE);
    store.answer(Operation.Refund.class);
    // It had begun to look before the refund, and so looks once more when it is there.
    store.answer(Operation.Peek.class);
    store.answer(Operation.Acquire.class);

    assertThat(next.join().allowed()).isTrue();
  }

  @Test
  void whatCannotBeGivenBackIsNoReasonToStand() {
    CompletableFuture<Decision> due = async(4, MINUTE);
    store.answer(Operation.Peek.class);
    store.holdsRefunds = true;
    store.answerAfter(Operation.Acquire.class, () -> due.cancel(false));
    store.fail();
    CompletableFuture<Decision> next = async(6, MINUTE);
    store.answer(Operation.Peek.class);
    store.answer(Operation.Acquire.class);

    assertThat(next.join().allowed()).isTrue();
  }

  @Test
  void whatIsGivenBackWakesTheNext() {
    CompletableFuture<Decision> due = async(10, MINUTE);
    store.answer(Operation.Peek.class);
    store.holdsRefunds = true;
    store.answerAfter(Operation.Acquire.class, () -> due.cancel(false));
    CompletableFuture<Decision> next = async(10, MINUTE);
    assertThat(store.questions).hasSize(2);
    store.answerNewest();
    assertThat(next).isNotDone();
    store.answer(Operation.Refund.class);
    store.answer(Operation.Peek.class);
    store.answer(Operation.Acquire.class);

    assertThat(next.join().allowed()).isTrue();
  }

  @Test
  void aCancelledRequestForNothingGivesNothingBack() {
    CompletableFuture<Decision> due = async(0, MINUTE);
    store.answer(Operation.Peek.class);
    store.answerAfter(Operation.Acquire.class, () -> due.cancel(false));

    assertThat(due).isCancelled();
    assertThat(store.questions).isEmpty();
  }

  @Test
  void whoLeavesFromBehindMakesNobodyAsk() {
    store.use(10);
    CompletableFuture<Decision> first = async(4, MINUTE);
    CompletableFuture<Decision> behind = async(5, MINUTE);
    store.answer(Operation.Peek.class);
    store.answer(Operation.Peek.class);
    behind.cancel(false);

    assertThat(store.questions).isEmpty();
    assertThat(first).isNotDone();
  }

  @Test
  void aLineHasOneAlarmHoweverOftenItIsWoken() {
    int[] alarms = {0};
    TimeSource counting =
        new TimeSource() {
          @Override
          public long nowMicros() {
            return time.nowMicros();
          }

          @Override
          public void runAfter(long delayMicros, Runnable task) {
            alarms[0]++;
            time.runAfter(delayMicros, task);
          }
        };
    RateLimiter waiting = RateLimiter.builder().time(counting).limit("10/s").build();
    waiting.acquire("k", 10);
    CompletableFuture<Decision> due = waiting.acquireAsync("k", 5, MINUTE);
    for (int i = 0; i < 100; i++) {
      waiting.changeLimits(Limit.parse("10/s"));
    }
    assertThat(alarms[0]).isEqualTo(1);
    waiting.refund("k", 1);
    assertThat(alarms[0]).isEqualTo(2);
    time.advance(Duration.ofMillis(400));

    assertThat(due).isCompleted();
    assertThat(waiting.peek("k").remaining()).isZero();
  }

  @Test
  void anAlarmThatCannotBeSetEndsTheWaiting() {
    TimeSource broken =
        new TimeSource() {
          @Override
          public long nowMicros() {
            return time.nowMicros();
          }

          @Override
          public void runAfter(long delayMicros, Runnable task) {
            throw new IllegalStateException("no timers");
          }
        };
    RateLimiter waiting = RateLimiter.builder().time(broken).limit("10/s").build();
    waiting.acquire("k", 10);

    assertThat(waiting.acquireAsync("k", 5, MINUTE)).isCompletedExceptionally();
    assertThat(waiting.acquireAsync("k", 6, MINUTE)).isCompletedExceptionally();
    time.advance(Duration.ofSeconds(1));
    assertThat(waiting.tryAcquire("k")).isTrue();
  }
}
