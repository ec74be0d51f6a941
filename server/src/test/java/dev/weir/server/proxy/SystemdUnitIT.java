package dev.weir.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.process.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the unit of {@code docs/guides/systemd.md}. */
class SystemdUnitIT {
  private static final ShownFile UNIT =
      Guide.read("systemd.md").file("/etc/systemd/system/weir.service");

  /** In tenths, as systemd counts how much a service could do to the machine; 100 is everything. */
  private static final int MOST_EXPOSURE = 20;

  @Test
  void startsReloadsAndRestartsWeir() {
    assertThat(values("ExecStart"))
        .containsExactly("/opt/weir/weir serve --config /etc/weir/weir.toml");
    assertThat(values("ExecReload")).containsExactly("/bin/kill -HUP $MAINPID");
    assertThat(values("Restart")).containsExactly("always");
    assertThat(values("EnvironmentFile")).containsExactly("/etc/weir/environment");
    assertThat(UNIT.text()).doesNotContain("TOKEN");
  }

  @Test
  void writesToItsOwnFolderOnly() {
    assertThat(values("DynamicUser")).containsExactly("yes");
    assertThat(values("ProtectSystem")).containsExactly("strict");
    assertThat(values("NoNewPrivileges")).containsExactly("yes");
    assertThat(values("StateDirectory")).containsExactly("weir");
    assertThat(values("WorkingDirectory")).containsExactly("/var/lib/weir");
  }

  @Test
  void systemdUnderstandsIt(@TempDir Path folder) throws Exception {
    assertThat(analyze(folder, "verify")).isEmpty();
  }

  @Test
  void systemdCallsItSafe(@TempDir Path folder) throws Exception {
    String printed =
        analyze(folder, "security", "--no-pager", "--offline=true", "--threshold=" + MOST_EXPOSURE);
    assertThat(printed).contains("Overall exposure level for weir.service");
  }

  private static List<String> values(String key) {
    return UNIT.text()
        .lines()
        .filter(line -> line.startsWith(key + "="))
        .map(line -> line.substring(key.length() + 1))
        .toList();
  }

  /** What systemd-analyze says to the unit, which it must not find wrong. */
  private static String analyze(Path folder, String... arguments)
      throws IOException, InterruptedException {
    Program program = Program.orSkip("systemd-analyze");
    // The program that a unit starts has to be there.
    UNIT.with("/opt/weir/weir ", "/bin/true ").write(folder.resolve("weir.service"));
    ProcessBuilder command = program.command(arguments);
    command.command().add(folder.resolve("weir.service").toString());
    Process process = command.redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(printed).isZero();
    return printed;
  }
}
