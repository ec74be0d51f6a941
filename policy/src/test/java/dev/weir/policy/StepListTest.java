package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StepListTest {
  private final StepList steps = new StepList();

  private static List<Step> made(int count) {
    return IntStream.range(0, count).mapToObj(i -> Step.ofDefault(Limit.perMinute(1 + i))).toList();
  }

  @Test
  void holdsWhatWasAddedSinceItWasCleared() {
    List<Step> first = made(9);
    List<Step> second = made(3);
    steps.addAll(first);
    assertThat(steps).containsExactlyElementsOf(first);

    steps.clear();
    assertThat(steps).isEmpty();
    steps.add(first.get(0));
    steps.addAll(second);
    assertThat(steps).containsExactly(first.get(0), second.get(0), second.get(1), second.get(2));
  }

  @Test
  void whatWasClearedIsNotThere() {
    steps.addAll(made(2));
    steps.clear();

    assertThatThrownBy(() -> steps.get(0))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("index 0 of 0");
  }
}
