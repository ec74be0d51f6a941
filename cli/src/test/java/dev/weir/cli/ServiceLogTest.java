package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class ServiceLogTest {
  private static String line(Level level, Throwable thrown) {
    LogRecord event = new LogRecord(level, "it failed");
    event.setThrown(thrown);
    return new ServiceLog().format(event);
  }

  @Test
  void aWarningIsOneLineWithTheInnermostReason() {
    Exception thrown =
        new IllegalStateException("outer", new IOException("Connection\u001b[31m refused\nat x"));

    assertThat(line(Level.WARNING, thrown))
        .endsWith(" warning it failed: Connection\\u001b[31m refused\n")
        .hasLineCount(1);
    assertThat(line(Level.WARNING, new IllegalStateException()))
        .endsWith(" warning it failed: java.lang.IllegalStateException\n")
        .hasLineCount(1);
  }

  @Test
  void anErrorHasItsStack() {
    assertThat(line(Level.SEVERE, new IllegalStateException("a mistake of ours")))
        .contains(" error it failed\njava.lang.IllegalStateException: a mistake of ours\n\tat ");
  }
}
