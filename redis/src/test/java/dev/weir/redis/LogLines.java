package dev.weir.redis;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What is logged under a name while this is open. */
final class LogLines extends Handler {
  private final SimpleFormatter formatter = new SimpleFormatter();
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();
  private final Logger logger;

  LogLines(String name) {
    logger = Logger.getLogger(name);
    setLevel(Level.ALL);
    logger.addHandler(this);
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  long count(String part) {
    return lines.stream().filter(line -> line.contains(part)).count();
  }

  @Override
  public void publish(LogRecord entry) {
    lines.add(formatter.format(entry));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
