package dev.weir.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A clock in a file, which starts at the time of this machine. */
final class FileClock implements Clock {
  private final Path file;
  private long nowSeconds;

  FileClock(Path file) {
    this.file = file.toAbsolutePath();
    advanceTo(System.currentTimeMillis() / 1_000);
  }

  @Override
  public long nowSeconds() {
    return nowSeconds;
  }

  @Override
  public void advanceTo(long seconds) {
    if (seconds <= nowSeconds) {
      return;
    }
    nowSeconds = seconds;
    Path next = file.resolveSibling(file.getFileName() + ".next");
    try {
      Files.writeString(next, seconds * 1_000_000 + "\n");
      // A reader sees the old time or the new one, never half of it.
      Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the clock file " + file, e);
    }
  }
}
