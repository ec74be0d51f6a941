package dev.weir.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** The log of the service: lines on standard error with time, level and message. */
final class ServiceLog extends Formatter {
  private static final Logger OUR_LOGGER = Logger.getLogger("dev.weir");

  /**
   * They warn of what is none: of a database that is newer than they are, and of missing machine
   * code. Kept here, since a logger that nobody knows is forgotten with its level.
   */
  private static final List<Logger> TALKATIVE =
      Stream.of("org.flywaydb", "org.apache.parquet", "org.apache.hadoop")
          .map(Logger::getLogger)
          .toList();

  private static final long STACK_AGAIN_MILLIS = 60_000;
  private static final int MAX_STACKS = 100;

  /** When the stack of an error was written, by its type and where it was thrown. */
  private final Map<String, Long> stacks =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > MAX_STACKS;
        }
      };

  ServiceLog() {}

  /** Lets everything that is logged in this process come out so. */
  static void start() {
    start(Level.INFO);
  }

  /** Only what somebody should look at, where what happens is known. */
  static void startWithWarnings() {
    start(Level.WARNING);
  }

  private static void start(Level ours) {
    Logger root = Logger.getLogger("");
    for (Handler handler : root.getHandlers()) {
      root.removeHandler(handler);
    }
    ConsoleHandler console = new ConsoleHandler();
    console.setFormatter(new ServiceLog());
    console.setLevel(Level.ALL);
    root.addHandler(console);
    // Of libraries only what somebody should look at.
    root.setLevel(Level.WARNING);
    OUR_LOGGER.setLevel(ours);
    TALKATIVE.forEach(logger -> logger.setLevel(Level.SEVERE));
  }

  @Override
  public String format(LogRecord event) {
    StringBuilder line =
        new StringBuilder()
            .append(Instant.ofEpochMilli(event.getMillis()).truncatedTo(ChronoUnit.MILLIS))
            .append(' ')
            .append(level(event.getLevel()))
            .append(' ')
            .append(formatMessage(event))
            .append('\n');
    Throwable thrown = event.getThrown();
    if (thrown != null
        && event.getLevel().intValue() >= Level.SEVERE.intValue()
        && isStackNew(thrown, event.getMillis())) {
      StringWriter trace = new StringWriter();
      thrown.printStackTrace(new PrintWriter(trace));
      line.append(trace);
    } else if (thrown != null) {
      line.setLength(line.length() - 1);
      line.append(": ").append(inShort(thrown)).append('\n');
    }
    return line.toString();
  }

  /**
   * Whether the stack of an error was not written lately. The same error can come with every
   * request, and its stack need not.
   */
  private synchronized boolean isStackNew(Throwable thrown, long nowMillis) {
    StackTraceElement[] stack = thrown.getStackTrace();
    String place = thrown.getClass().getName() + (stack.length == 0 ? "" : stack[0]);
    Long before = stacks.get(place);
    if (before != null && nowMillis - before < STACK_AGAIN_MILLIS) {
      return false;
    }
    stacks.put(place, nowMillis);
    return true;
  }

  /**
   * Warnings are about what comes and goes, such as a database: one line each, or hundreds of lines
   * hide what matters.
   */
  private static String inShort(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String message = root.getMessage() == null ? root.toString() : root.getMessage();
    return PlainText.of(message.lines().findFirst().orElse(root.toString()));
  }

  private static String level(Level level) {
    if (level.intValue() >= Level.SEVERE.intValue()) {
      return "error";
    }
    return level.intValue() >= Level.WARNING.intValue() ? "warning" : "info";
  }
}
