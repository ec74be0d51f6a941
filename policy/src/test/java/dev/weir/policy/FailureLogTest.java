package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FailureLogTest {
  private static final long SECOND = 1_000_000_000L;

  private final List<String> lines = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - SECOND);
  private final FailureLog log = new FailureLog(new Lines(), nanos::get);

  private final class Lines implements System.Logger {
    @Override
    public String getName() {
      return "lines";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String message,
        @Nullable Throwable thrown) {
      lines.add(level + " " + message);
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String format,
        @Nullable Object... parameters) {
      lines.add(level + " " + format);
    }
  }

  private void fail(String message) {
    log.failed(new IOException(message), FailureMode.LOCAL);
  }

  @Test
  void saysAtOnceAndThenNowAndThenThatCountersFail() {
    fail("no connection");
    fail("no connection");
    nanos.addAndGet(10 * SECOND - 1);
    fail("timed out");
    nanos.addAndGet(1);
    fail("refused");
    nanos.addAndGet(60 * SECOND);
    fail("closed");

    assertThat(lines)
        .containsExactly(
            "WARNING counters could not be reached (java.io.IOException: no connection); decided in"
                + " failure_mode local",
            "WARNING counters could not be reached (java.io.IOException: refused); decided in"
                + " failure_mode local, as 2 times before, since this was last said",
            "WARNING counters could not be reached (java.io.IOException: closed); decided in"
                + " failure_mode local");
  }
}
