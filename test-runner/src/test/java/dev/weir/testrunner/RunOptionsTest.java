package dev.weir.testrunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RunOptionsTest {
  @Test
  void readsWhatTheScriptGives() {
    RunOptions options =
        RunOptions.parse(
            List.of("--long", "--repeat=20", "--class=PortsTest", "-Dweir.seed=7", "core", "cli"));

    assertThat(options.isLong()).isTrue();
    assertThat(options.repeats()).isEqualTo(20);
    assertThat(options.properties()).containsExactly("-Dweir.seed=7");
    assertThat(options.modules()).containsExactly("core", "cli");
    assertThat(options.includes("dev.weir.testkit.process.PortsTest")).isTrue();
    assertThat(options.includes("dev.weir.testkit.process.OtherPortsTest")).isFalse();
  }

  @Test
  void takesAllClassesByDefault() {
    RunOptions options = RunOptions.parse(List.of("core"));

    assertThat(options.isLong()).isFalse();
    assertThat(options.repeats()).isEqualTo(1);
    assertThat(options.includes("dev.weir.AnyTest")).isTrue();
  }

  @Test
  void refusesWhatIsNotAPositiveNumber() {
    assertThatThrownBy(() -> RunOptions.parse(List.of("--jvms=0")))
        .hasMessage("--jvms must be a positive number, got \"0\"");
  }
}
