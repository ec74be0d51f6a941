package dev.weir.backtest;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The requests of one file in the order of the file. */
interface RawLog extends Closeable {

  /** The next request; null at the end. */
  @Nullable LoggedRequest next() throws IOException;

  /** What was read so far. */
  LogCounts counts();

  /** How many bytes of the file were read so far. */
  long bytesRead();
}
