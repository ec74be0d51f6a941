package dev.weir.control.rows;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * What is logged while it is open: by this project everything, by libraries what is not a trace.
 */
public final class LogCapture extends Handler implements AutoCloseable {
  private final Logger root = Logger.getLogger("");
  private final Logger ours = Logger.getLogger("dev.weir");
  private final Level levelBefore = root.getLevel();
  private final Map<Handler, Level> handlersBefore = new HashMap<>();
  private final List<String> lines = new CopyOnWriteArrayList<>();

  private LogCapture() {}

  /** Starts. */
  public static LogCapture start() {
    LogCapture capture = new LogCapture();
    capture.setLevel(Level.ALL);
    capture.setFormatter(new SimpleFormatter());
    capture.root.setLevel(Level.FINE);
    capture.ours.setLevel(Level.ALL);
    for (Handler other : capture.root.getHandlers()) {
      capture.handlersBefore.put(other, other.getLevel());
      other.setLevel(Level.WARNING);
    }
    capture.root.addHandler(capture);
    return capture;
  }

  /** Each record as text, with the stack trace if it has one. */
  public List<String> lines() {
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
    root.removeHandler(this);
    handlersBefore.forEach(Handler::setLevel);
    root.setLevel(levelBefore);
    ours.setLevel(null);
  }
}
