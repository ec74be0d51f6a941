package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
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

  @Test
  void theSameErrorHasItsStackOnceAMinute() {
    ServiceLog log = new ServiceLog();
    LogRecord event = new LogRecord(Level.SEVERE, "it failed");
    event.setThrown(new IllegalStateException("a mistake of ours"));
    event.setInstant(Instant.parse("2026-03-01T10:00:00Z"));
    assertThat(log.format(event)).contains("\tat ");
    assertThat(log.format(event))
        .isEqualTo("2026-03-01T10:00:00Z error it failed: a mistake of ours\n");

    LogRecord other = new LogRecord(Level.SEVERE, "it failed");
    other.setThrown(new IllegalArgumentException("another"));
    assertThat(log.format(other)).contains("\tat ");
    event.setInstant(Instant.parse("2026-03-01T10:01:00Z"));
    assertThat(log.format(event)).contains("\tat ");
  }
}
