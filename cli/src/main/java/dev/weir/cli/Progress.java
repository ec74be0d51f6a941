package dev.weir.cli;

import dev.weir.backtest.RequestLog;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How far the reading of a log is, on one line of standard error that is written over and cleared
 * at the end. Only where standard error is a terminal.
 */
final class Progress implements AutoCloseable {
  /** Set to {@code true} by the launcher when standard error is a terminal. */
  static final String TERMINAL_PROPERTY = "weir.error.terminal";

  private static final int BAR = 20;
  private static final int TICKS_BETWEEN_LOOKS = 4_096;
  private static final long NANOS_BETWEEN_LINES = 200_000_000;
  private static final double SECOND = 1e9;

  private final @Nullable RequestLog log;
  private final Terminal terminal;
  private final PrintWriter err;
  private final LongSupplier nanoTime;
  private final long startNanos;
  private long shownNanos;
  private int ticks;
  private int width;

  Progress(@Nullable RequestLog log, Terminal terminal, PrintWriter err, LongSupplier nanoTime) {
    this.log = log;
    this.terminal = terminal;
    this.err = err;
    this.nanoTime = nanoTime;
    this.startNanos = nanoTime.getAsLong();
    this.shownNanos = startNanos;
  }

  /** Progress that is shown if somebody can see it. */
  static Progress of(RequestLog log, Terminal terminal, PrintWriter err) {
    boolean isSeen = Boolean.getBoolean(TERMINAL_PROPERTY);
    return new Progress(isSeen ? log : null, terminal, err, System::nanoTime);
  }

  static Progress none() {
    return new Progress(
        null,
        new Terminal(0, false, false),
        new PrintWriter(Writer.nullWriter()),
        System::nanoTime);
  }

  /** Another request was replayed. */
  void tick() {
    if (log != null && ++ticks >= TICKS_BETWEEN_LOOKS) {
      ticks = 0;
      long now = nanoTime.getAsLong();
      if (now - shownNanos >= NANOS_BETWEEN_LINES) {
        shownNanos = now;
        show(log, (now - startNanos) / SECOND);
      }
    }
  }

  private void show(RequestLog shown, double seconds) {
    String text = text(shown.counts().lines(), shown.bytesRead(), shown.bytes(), seconds);
    String fitting =
        text.substring(0, Math.min(text.length(), Math.max(0, terminal.columns() - 1)));
    err.print("\r" + fitting + " ".repeat(Math.max(0, width - fitting.length())));
    err.flush();
    width = fitting.length();
  }

  /** For example {@code ########------------ 42 % 1,234,567 lines 812,000/s 14s left}. */
  String text(long lines, long bytesRead, long bytes, double seconds) {
    String rate = String.format(Locale.ROOT, "%,d lines  %,.0f/s", lines, lines / seconds);
    if (bytes <= 0) {
      return rate;
    }
    double part = Math.min(1.0, (double) bytesRead / bytes);
    int full = (int) (part * BAR);
    String bar =
        terminal.unicode()
            ? "█".repeat(full) + "░".repeat(BAR - full)
            : "#".repeat(full) + "-".repeat(BAR - full);
    String left =
        part == 0 ? "" : "  " + TimeText.format(secondsLeft(part, seconds) * 1_000_000) + " left";
    return String.format(Locale.ROOT, "%s %3.0f %%  %s%s", bar, 100 * part, rate, left);
  }

  private static long secondsLeft(double part, double seconds) {
    return Math.round(seconds * (1 - part) / part);
  }

  @Override
  public void close() {
    if (width > 0) {
      err.print("\r" + " ".repeat(width) + "\r");
      err.flush();
    }
  }
}
