package dev.weir.http;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What this module logs while it is open. */
final class LogCapture extends Handler implements AutoCloseable {
  private final Logger logger = Logger.getLogger("dev.weir.http");
  private final Level levelBefore = logger.getLevel();
  private final List<String> lines = new CopyOnWriteArrayList<>();

  private LogCapture() {}

  static LogCapture start() {
    LogCapture capture = new LogCapture();
    capture.setLevel(Level.ALL);
    capture.setFormatter(new SimpleFormatter());
    capture.logger.setLevel(Level.ALL);
    capture.logger.setUseParentHandlers(false);
    capture.logger.addHandler(capture);
    return capture;
  }

  /** Each record as text, with the stack trace if it has one. */
  List<String> lines() {
    return lines;
  }

  @Override
  public void publish(LogRecord logged) {
    lines.add(getFormatter().format(logged));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
    logger.setLevel(levelBefore);
  }
}
