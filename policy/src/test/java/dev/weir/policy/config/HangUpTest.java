package dev.weir.policy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Sends real signals to this very process. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there are no signals")
class HangUpTest {
  @TempDir private Path folder = Path.of("");
  private final List<Long> limits = new CopyOnWriteArrayList<>();

  private Path write(String limit) throws IOException {
    return Files.writeString(folder.resolve("weir.toml"), "[default]\nlimit = " + limit + "\n");
  }

  private ConfigFile open() throws IOException {
    return new ConfigFile(
        write("1"), Map.of(), config -> limits.add(config.policy().defaultLimit().permits()));
  }

  /** As under nohup; then the JVM leaves the signal alone, whatever handler it is given. */
  private static boolean isIgnored() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return false;
    }
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("SigIgn:"))
          .anyMatch(line -> line.matches(".*[13579bdf]"));
    }
  }

  @BeforeEach
  void theSignalArrives() throws IOException {
    assumeThat(isIgnored()).as("SIGHUP is ignored").isFalse();
  }

  private static void hangUp() throws IOException, InterruptedException {
    String pid = Long.toString(ProcessHandle.current().pid());
    assertThat(new ProcessBuilder("kill", "-HUP", pid).inheritIO().start().waitFor()).isZero();
  }

  @Test
  void aSignalHasTheFileReadAgain() throws IOException, InterruptedException {
    try (ConfigFile file = open()) {
      file.reloadOnHangUp();
      write("2");
      hangUp();

      await().untilAsserted(() -> assertThat(limits).containsExactly(2L));
    }
  }

  @Test
  void aSignalForAWrongFileChangesNothing() throws IOException, InterruptedException {
    try (ConfigFile file = open()) {
      file.reloadOnHangUp();
      write("-2");
      hangUp();

      await().until(() -> file.lastFailure() != null);
      assertThat(file.current().policy().defaultLimit().permits()).isEqualTo(1);
      assertThat(limits).isEmpty();
    }
  }

  @Test
  void theHandlerBeforeComesBackOnClose() throws IOException, InterruptedException {
    List<String> before = new CopyOnWriteArrayList<>();
    try (ProcessSignal outer = ProcessSignal.handledBy("HUP", () -> before.add("hang-up"))) {
      assertThat(outer).isNotNull();
      ConfigFile file = open();
      file.reloadOnHangUp();
      file.reloadOnHangUp();
      file.close();
      file.close();
      hangUp();

      await().untilAsserted(() -> assertThat(before).containsExactly("hang-up"));
      assertThat(limits).isEmpty();
    }
  }
}
