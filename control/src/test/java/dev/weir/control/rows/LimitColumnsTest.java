package dev.weir.control.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.control.change.ChangeRefused;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LimitColumnsTest {

  private static LimitColumns columns(@Nullable Long burst) {
    return new LimitColumns("burst_size", burst);
  }

  @Test
  void numbersAreLimitsAndTheBurstIsThatOfTheShortest() {
    assertThat(
            columns(20L)
                .add("requests_per_second", null, "s")
                .add("requests_per_hour", 1_000L, "h")
                .add("requests_per_day", 5_000L, "d")
                .addAll("limits", List.of("2/10m sliding_log"))
                .limits())
        .containsExactly(
            Limit.parse("1000/h burst 20"),
            Limit.parse("5000/d"),
            Limit.parse("2/10m sliding_log"));
    assertThat(columns(null).limits()).isEmpty();
  }

  @Test
  void whatIsNoLimitIsRefusedByName() {
    assertThatThrownBy(() -> columns(null).addAll("limits", List.of("10/min")))
        .isInstanceOfSatisfying(
            ChangeRefused.class,
            refused -> {
              assertThat(refused.kind()).isEqualTo(ChangeRefused.Kind.INVALID);
              assertThat(refused.field()).isEqualTo("limits");
            })
        .hasMessageStartingWith("limits is wrong: limit \"10/min\": period \"min\" is unknown");
    assertThatThrownBy(() -> columns(null).add("requests_per_hour", 0L, "h"))
        .hasMessageStartingWith("requests_per_hour is wrong: limit \"0/h\": permits must be");
    assertThatThrownBy(() -> columns(5L).addAll("limits", List.of("1/s")).limits())
        .hasMessage("burst_size must have a limit beside it whose burst it is, got 5");
    assertThatThrownBy(() -> columns(null).addAll("limits", Collections.nCopies(17, "1/s")))
        .hasMessage("limits must be at most 16 in all, got 17");
  }
}
