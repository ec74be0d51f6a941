package dev.weir.backtest;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one file in the order of their times. A request waits until one has been read
 * that is later by the bound, or too many wait. One that comes later than that is late: it counts
 * when it comes.
 */
final class SortedLog implements Closeable {
  private final RawLog log;
  private final long reorderMicros;
  private final WaitingRequests waiting = new WaitingRequests();
  private long newestMicros;
  private long lastMicros;
  private long late;
  private boolean isEnded;

  SortedLog(RawLog log, Duration reorder) {
    this.log = log;
    this.reorderMicros = reorder.toNanos() / 1_000;
  }

  @Nullable LoggedRequest next() throws IOException {
    while (!isEnded && !isNextKnown()) {
      LoggedRequest read = log.next();
      if (read == null) {
        isEnded = true;
      } else {
        add(read);
      }
    }
    LoggedRequest next = waiting.poll();
    if (next != null) {
      lastMicros = next.atMicros();
    }
    return next;
  }

  private boolean isNextKnown() {
    return waiting.isFull()
        || (!waiting.isEmpty() && newestMicros - waiting.earliestMicros() >= reorderMicros);
  }

  private void add(LoggedRequest read) {
    LoggedRequest request = read;
    if (request.atMicros() < lastMicros) {
      late++;
      request = request.at(lastMicros);
    }
    newestMicros = Math.max(newestMicros, request.atMicros());
    waiting.add(request);
  }

  LogCounts counts() {
    return log.counts().plus(new LogCounts(0, 0, 0, 0, 0, late, List.of()));
  }

  long bytesRead() {
    return log.bytesRead();
  }

  @Override
  public void close() throws IOException {
    log.close();
  }
}
