package dev.weir.backtest;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a log, one after the other. Reads on when asked for the next and keeps no more
 * than it needs for that. For one thread.
 */
public interface RequestLog extends Closeable {

  /**
   * The next request; never of an earlier time than the one before.
   *
   * @return null at the end
   * @throws BadLineException if a line cannot be read and the log is strict
   * @throws IOException if the log cannot be read
   */
  @Nullable LoggedRequest next() throws IOException;

  /** What was read so far. */
  LogCounts counts();

  /** How many bytes of the files were read so far, as they are stored. */
  long bytesRead();

  /** How many bytes there are; -1 if that is not known. */
  long bytes();
}
