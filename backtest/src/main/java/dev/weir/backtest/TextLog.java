package dev.weir.backtest;

import dev.weir.policy.MalformedRequestException;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A log of lines. */
final class TextLog implements RawLog {
  private final Lines lines;
  private final LineFormat format;
  private final Findings findings;
  private final LongSupplier bytesRead;

  TextLog(InputStream in, LineFormat format, Findings findings, LongSupplier bytesRead) {
    this.lines = new Lines(in);
    this.format = format;
    this.findings = findings;
    this.bytesRead = bytesRead;
  }

  @Override
  public @Nullable LoggedRequest next() throws IOException {
    while (lines.next()) {
      LoggedRequest request = read();
      if (request != null) {
        return request;
      }
    }
    return null;
  }

  private @Nullable LoggedRequest read() throws IOException {
    if (lines.isTooLong()) {
      findings.bad(lines.number(), "a line must be at most 1 MiB long");
      return null;
    }
    if (lines.start() == lines.end()) {
      return null;
    }
    try {
      LoggedRequest request = format.read(lines.bytes(), lines.start(), lines.end());
      if (request == null) {
        findings.skipped();
      } else {
        findings.request();
      }
      return request;
    } catch (BadLine wrong) {
      findings.bad(lines.number(), String.valueOf(wrong.getMessage()));
    } catch (MalformedRequestException wrong) {
      findings.malformed(lines.number(), String.valueOf(wrong.getMessage()));
    }
    return null;
  }

  @Override
  public LogCounts counts() {
    return findings.counts();
  }

  @Override
  public long bytesRead() {
    return bytesRead.getAsLong();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
