package dev.weir.control.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import org.junit.jupiter.api.Test;

/** A few kills; {@link JournalKillLongIT} has many. */
class JournalKillIT extends JournalKillContract {
  JournalKillIT() {
    super(2);
  }

  @Test
  void anotherProcessIsRefused() throws Exception {
    try (Journal journal = Journal.open(folder, ChildJournal.OPTIONS)) {
      // Must not give the lock of this process away.
      assertThat(refusalOf(() -> Journal.open(folder, ChildJournal.OPTIONS).close()))
          .contains("already open in this process");
      Process process = ChildJournal.start(folder, 0, 0);
      try (BufferedReader lines = process.inputReader()) {
        assertThat(lines.readLine())
            .isEqualTo(
                "failed journal %s is in use by another process, its id is %d"
                    .formatted(folder.toRealPath(), ProcessHandle.current().pid()));
        assertThat(process.onExit().join().exitValue()).isZero();
      } finally {
        process.destroyForcibly();
      }
      Records.append(journal, 1, 10);
    }
  }

  private static String refusalOf(Runnable call) {
    try {
      call.run();
      return "";
    } catch (JournalException refusal) {
      return refusal.toString();
    }
  }
}
