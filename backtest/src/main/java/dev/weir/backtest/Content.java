package dev.weir.backtest;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/** The text of a log, unpacked if need be. */
final class Content {
  private static final int BUFFER = 1 << 16;

  private final CountedInput stored;
  private final InputStream text;

  Content(InputStream in) throws IOException {
    this.stored = new CountedInput(in);
    BufferedInputStream buffered = new BufferedInputStream(stored, BUFFER);
    buffered.mark(2);
    boolean isPacked = buffered.read() == 0x1f && buffered.read() == 0x8b;
    buffered.reset();
    this.text = isPacked ? new GZIPInputStream(buffered, BUFFER) : buffered;
  }

  InputStream text() {
    return text;
  }

  /** How many bytes were read, as they are stored. */
  long bytesRead() {
    return stored.count();
  }
}
