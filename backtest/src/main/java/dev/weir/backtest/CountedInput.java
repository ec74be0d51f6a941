package dev.weir.backtest;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that knows how much was read of it. */
final class CountedInput extends FilterInputStream {
  private long count;

  CountedInput(InputStream in) {
    super(in);
  }

  @Override
  public int read() throws IOException {
    int read = in.read();
    count += read < 0 ? 0 : 1;
    return read;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int read = in.read(bytes, offset, length);
    count += Math.max(0, read);
    return read;
  }

  /** How many bytes were read. */
  long count() {
    return count;
  }
}
