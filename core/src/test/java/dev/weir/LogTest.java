package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LogTest {
  private final Cells cells = Cells.wide(3, Log.WORDS, true);
  private final int at = cells.state(cells.stride);

  private List<Long> numbers() {
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < Log.size(cells, at); i++) {
      numbers.add(Log.get(cells, at, i));
    }
    return numbers;
  }

  @Test
  void isEmptyAtFirst() {
    assertThat(Log.size(cells, at)).isZero();
    assertThat(cells.log(at)).isEmpty();
    Log.removeOldest(cells, at, 0);
    assertThat(Log.size(cells, at)).isZero();
  }

  @Test
  void keepsNumbersInOrder() {
    for (long i = 0; i < 5; i++) {
      Log.append(cells, at, 10 + i);
    }
    assertThat(numbers()).containsExactly(10L, 11L, 12L, 13L, 14L);
    Log.removeOldest(cells, at, 2);
    assertThat(numbers()).containsExactly(12L, 13L, 14L);
    Log.removeNewest(cells, at, 1);
    assertThat(numbers()).containsExactly(12L, 13L);
    Log.set(cells, at, 1, 99);
    assertThat(numbers()).containsExactly(12L, 99L);
  }

  @Test
  void takesEightNumbersBeforeItGrows() {
    for (long i = 0; i < 8; i++) {
      Log.append(cells, at, i);
    }
    assertThat(cells.log(at)).hasSize(8);
    Log.append(cells, at, 8);
    assertThat(cells.log(at)).hasSize(16);
    assertThat(numbers()).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
  }

  @Test
  void goesRoundWithoutGrowing() {
    for (long i = 0; i < 1_000; i++) {
      Log.append(cells, at, i);
      if (i >= 7) {
        Log.removeOldest(cells, at, 1);
      }
    }

    assertThat(cells.log(at)).hasSize(8);
    assertThat(numbers()).containsExactly(993L, 994L, 995L, 996L, 997L, 998L, 999L);
  }

  @Test
  void growsFromAnyPlace() {
    for (long i = 0; i < 8; i++) {
      Log.append(cells, at, i);
    }
    Log.removeOldest(cells, at, 5);
    for (long i = 8; i < 20; i++) {
      Log.append(cells, at, i);
    }

    assertThat(numbers()).hasSize(15).startsWith(5L, 6L, 7L, 8L).endsWith(18L, 19L);
  }

  @Test
  void isAQueueAndAStack() {
    Random random = new Random(5);
    List<Long> model = new ArrayList<>();
    for (long i = 0; i < 20_000; i++) {
      int choice = random.nextInt(5);
      int count = random.nextInt(model.size() + 1);
      if (choice < 3) {
        Log.append(cells, at, i);
        model.add(i);
      } else if (choice == 3 && count < 4) {
        Log.removeOldest(cells, at, count);
        model.subList(0, count).clear();
      } else if (count < 4) {
        Log.removeNewest(cells, at, count);
        model.subList(model.size() - count, model.size()).clear();
      }
      if (i % 97 == 0) {
        assertThat(numbers()).isEqualTo(model);
      }
    }
  }

  @Test
  void logsOfNeighboursAreApart() {
    int neighbour = cells.state(2 * cells.stride);
    Log.append(cells, at, 1);
    Log.append(cells, neighbour, 2);

    assertThat(numbers()).containsExactly(1L);
    assertThat(Log.get(cells, neighbour, 0)).isEqualTo(2);
    assertThat(cells.log(cells.state(0))).isEmpty();
  }
}
