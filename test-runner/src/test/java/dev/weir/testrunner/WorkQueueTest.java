package dev.weir.testrunner;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WorkQueueTest {
  private static final TestModule SMALL = new TestModule("small", Path.of("small"));
  private static final TestModule LARGE = new TestModule("large", Path.of("large"));
  private static final Map<String, Long> MILLIS =
      Map.of("a", 500L, "b", 1_000L, "c", 60_000L, "d", 40_000L);

  private final WorkQueue queue = new WorkQueue(name -> MILLIS.getOrDefault(name, 0L));

  private WorkQueue.Part claim() throws InterruptedException {
    return requireNonNull(queue.claim());
  }

  @Test
  void startsWithTheLongestClassOfTheLargestPart() throws InterruptedException {
    queue.add(SMALL, List.of("a", "b"), List.of());
    queue.add(LARGE, List.of("d", "c"), List.of("exclusive"));

    WorkQueue.Part first = claim();
    assertThat(first.module()).isEqualTo(LARGE);
    assertThat(first.deferredTags()).containsExactly("exclusive");
    assertThat(queue.next(first)).isEqualTo("c");
  }

  @Test
  void givesALargePartSeveralJvmsAndASmallOneOnlyOne() throws InterruptedException {
    queue.add(SMALL, List.of("a", "b"), List.of());
    queue.add(LARGE, List.of("c", "d"), List.of());

    assertThat(claim().module()).isEqualTo(LARGE);
    assertThat(claim().module()).isEqualTo(LARGE);
    assertThat(claim().module()).isEqualTo(LARGE);
  }

  @Test
  void endsWhenEverythingHasRun() throws InterruptedException {
    queue.add(SMALL, List.of("a"), List.of());
    WorkQueue.Part part = claim();
    assertThat(queue.next(part)).isEqualTo("a");
    assertThat(queue.next(part)).isNull();
    queue.release(part);

    assertThat(queue.claim()).isNull();
  }

  @Test
  void waitsForAClassThatIsDeferredToAPartOfItsOwn() throws Exception {
    queue.add(SMALL, List.of("a"), List.of());
    WorkQueue.Part part = claim();
    assertThat(queue.next(part)).isEqualTo("a");

    CompletableFuture<WorkQueue.@Nullable Part> other =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return queue.claim();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    queue.add(LARGE, List.of("b"), List.of());
    queue.release(part);

    assertThat(requireNonNull(other.get(30, TimeUnit.SECONDS)).module()).isEqualTo(LARGE);
  }
}
