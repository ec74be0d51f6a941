package dev.weir.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The handlers and levels of the loggers that {@link ServiceLog} changes, as they were before. */
final class SavedLogSettings implements AutoCloseable {
  private record Saved(Logger logger, @Nullable Level level) {}

  private final Logger root = Logger.getLogger("");
  private final List<Handler> handlers = List.of(root.getHandlers());
  private final List<Saved> levels = new ArrayList<>();

  SavedLogSettings() {
    Stream.of("", "dev.weir", "org.flywaydb", "org.apache.parquet", "org.apache.hadoop")
        .map(Logger::getLogger)
        .forEach(logger -> levels.add(new Saved(logger, logger.getLevel())));
  }

  @Override
  public void close() {
    for (Handler handler : root.getHandlers()) {
      root.removeHandler(handler);
    }
    handlers.forEach(root::addHandler);
    levels.forEach(saved -> saved.logger.setLevel(saved.level));
  }
}
