package dev.weir.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testkit.process.Program;
import dev.weir.testkit.process.RunningProgram;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** How tests find programs of others, and what is said where one is missing or does not start. */
class ProgramTest {

  @Test
  void findsWhatIsOnThePath() {
    assertThat(Program.orSkip("sh").path()).isAbsolute().isExecutable();
  }

  @Test
  void skipsATestWhoseProgramIsMissing() {
    assertThat(Program.find("no-such-program")).isEmpty();
    assertThatThrownBy(() -> Program.orSkip("no-such-program"))
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("no no-such-program found; .ci/programs fetches it");
  }

  @Test
  void saysWhatAProgramWroteThatDidNotStart(@TempDir Path folder) {
    ProcessBuilder command = Program.orSkip("sh").command("-c", "echo no such option; exit 1");
    try (RunningProgram program = RunningProgram.start(command, folder)) {
      assertThatThrownBy(() -> program.awaitPort(1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("does not listen on port 1")
          .hasMessageContaining("no such option");
    }
  }

  @Test
  void endsAProgramWithTheTest(@TempDir Path folder) {
    ProcessBuilder command = Program.orSkip("sh").command("-c", "exec sleep 600");
    RunningProgram program = RunningProgram.start(command, folder);
    assertThat(program.isAlive()).isTrue();

    program.close();

    assertThat(program.isAlive()).isFalse();
  }
}
