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

  /** Answers when it is told to; refunds at once. */
  private static final class SlowStore implements CounterStore {
    private record Question(Operation operation, CompletableFuture<Decision> answer) {}

    final MemoryCounterStore counters;
    final Deque<Question> questions = new ArrayDeque<>();

    SlowStore(TimeSource time) {
      this.counters = new MemoryCounterStore(time, 10);
    }

    @Override
    public CompletionStage<Decision> apply(Operation operation) {
      if (operation instanceof Operation.Refund) {
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
}
