package dev.weir.backtest;

import com.jerolba.carpet.CarpetReader;
import com.jerolba.carpet.CloseableIterator;
import com.jerolba.carpet.FieldMatchingStrategy;
import dev.weir.policy.Headers;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.apache.parquet.io.LocalInputFile;
import org.jspecify.annotations.Nullable;

/** A file of the archive of decisions. Only the columns that are needed are read. */
final class ParquetLog implements RawLog {
  private final long bytes;
  private final LoggedClient clients;
  private final Findings findings;
  private final CloseableIterator<Row> rows;
  private long number;
  private boolean isEnded;

  /** What is needed of a row. */
  record Row(
      Instant timestamp,
      @Nullable String userId,
      @Nullable String apiKeyId,
      @Nullable String ipAddress,
      @Nullable String tier,
      @Nullable String path,
      @Nullable String httpMethod,
      @Nullable String ruleName,
      String decision,
      @Nullable String reason,
      long cost) {}

  ParquetLog(Path file, LoggedClient clients, Findings findings) throws IOException {
    this.bytes = Files.size(file);
    this.clients = clients;
    this.findings = findings;
    try {
      this.rows =
          new CarpetReader<>(new LocalInputFile(file), Row.class)
              .withFieldMatchingStrategy(FieldMatchingStrategy.SNAKE_CASE)
              .iterator();
    } catch (RuntimeException unreadable) {
      throw new IOException("is no archive of decisions: " + unreadable.getMessage(), unreadable);
    }
  }

  @Override
  public @Nullable LoggedRequest next() throws IOException {
    while (hasNext()) {
      number++;
      try {
        LoggedRequest request = request(rows.next());
        findings.request();
        return request;
      } catch (BadLine wrong) {
        findings.bad(number, String.valueOf(wrong.getMessage()));
      } catch (MalformedRequestException wrong) {
        findings.malformed(number, String.valueOf(wrong.getMessage()));
      }
    }
    isEnded = true;
    return null;
  }

  private boolean hasNext() throws IOException {
    try {
      return rows.hasNext();
    } catch (RuntimeException unreadable) {
      throw new IOException("cannot be read: " + unreadable.getMessage(), unreadable);
    }
  }

  private LoggedRequest request(Row row) throws BadLine {
    if (row.path == null) {
      throw new BadLine("must have a path");
    }
    Instant at = row.timestamp;
    long atMicros = at.getEpochSecond() * CivilTime.SECOND + at.getNano() / 1_000;
    if (atMicros < 0 || atMicros >= LoggedRequest.END_MICROS) {
      throw new BadLine("time must be between 1970 and 2400, got " + at);
    }
    Request request =
        new Request(
            row.httpMethod == null ? "GET" : row.httpMethod,
            row.path,
            clients.of(row.ipAddress, row.userId, row.apiKeyId, row.tier),
            row.cost,
            Headers.none());
    return new LoggedRequest(
        atMicros,
        request,
        Recorded.outcome(row.decision),
        Recorded.cause(row.reason),
        row.ruleName);
  }

  @Override
  public LogCounts counts() {
    return findings.counts();
  }

  /** Known at the end only: what Parquet reads first is the end of the file. */
  @Override
  public long bytesRead() {
    return isEnded ? bytes : 0;
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
