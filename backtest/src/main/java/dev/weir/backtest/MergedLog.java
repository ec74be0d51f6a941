package dev.weir.backtest;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The requests of several files as one log in the order of their times. A file is opened when its
 * time has come and closed at its end, so that the months of an archive are open one by one.
 */
final class MergedLog implements RequestLog {
  private final PriorityQueue<Part> parts = new PriorityQueue<>(Part.ORDER);
  private final long bytes;
  private final long fromMicros;
  private final long toMicros;
  private LogCounts ended = LogCounts.NONE;
  private long endedBytes;
  private long given;
  private long late;
  private long lastMicros;
  private @Nullable Part current;

  /** One file, and its next request. */
  private static final class Part {
    static final Comparator<Part> ORDER =
        Comparator.comparingLong((Part part) -> part.atMicros).thenComparing(part -> part.number);

    final LogSource source;
    final int number;
    long atMicros;
    @Nullable SortedLog log;
    @Nullable LoggedRequest request;

    Part(LogSource source, int number, long atMicros) {
      this.source = source;
      this.number = number;
      this.atMicros = atMicros;
    }
  }

  MergedLog(List<LogSource> sources, LogOptions options) {
    this.fromMicros = micros(options.from());
    this.toMicros = micros(options.to());
    long reorderMicros = options.reorder().toNanos() / 1_000;
    long sum = 0;
    for (LogSource source : sources) {
      // A line that was not looked at may be earlier than those that were, by as much.
      parts.add(new Part(source, parts.size(), source.startMicros() - reorderMicros));
      sum = sum < 0 || source.bytes() < 0 ? -1 : sum + source.bytes();
    }
    this.bytes = sum;
  }

  private static long micros(Instant instant) {
    return instant.getEpochSecond() * CivilTime.SECOND + instant.getNano() / 1_000;
  }

  @Override
  public @Nullable LoggedRequest next() throws IOException {
    LoggedRequest next = merged();
    while (next != null && next.atMicros() < fromMicros) {
      next = merged();
    }
    if (next == null || next.atMicros() >= toMicros) {
      closeAll();
      return null;
    }
    given++;
    return next;
  }

  private @Nullable LoggedRequest merged() throws IOException {
    while (true) {
      Part part = current;
      if (part == null) {
        part = parts.poll();
        current = part;
      }
      if (part == null) {
        return null;
      }
      LoggedRequest request = part.request;
      part.request = null;
      if (request != null) {
        return inOrder(request);
      }
      advance(part);
    }
  }

  /** Reads the part's next request, and gives way to another part if that is earlier. */
  private void advance(Part part) throws IOException {
    SortedLog log = part.log;
    if (log == null) {
      log = opened(part.source);
      part.log = log;
    }
    LoggedRequest next = read(part.source, log);
    if (next == null) {
      end(part, log);
      current = null;
      return;
    }
    part.request = next;
    part.atMicros = next.atMicros();
    Part other = parts.peek();
    if (other != null && Part.ORDER.compare(other, part) < 0) {
      parts.add(part);
      current = null;
    }
  }

  private LoggedRequest inOrder(LoggedRequest request) {
    if (request.atMicros() < lastMicros) {
      late++;
      return request.at(lastMicros);
    }
    lastMicros = request.atMicros();
    return request;
  }

  private static SortedLog opened(LogSource source) throws IOException {
    try {
      return source.open();
    } catch (IOException failure) {
      throw LogFiles.unreadable(source.name(), failure);
    }
  }

  private static @Nullable LoggedRequest read(LogSource source, SortedLog log) throws IOException {
    try {
      return log.next();
    } catch (BadLineException bad) {
      throw bad;
    } catch (IOException failure) {
      throw LogFiles.unreadable(source.name(), failure);
    }
  }

  private void end(Part part, SortedLog log) throws IOException {
    ended = ended.plus(log.counts());
    endedBytes += Math.max(log.bytesRead(), part.source.bytes());
    part.log = null;
    log.close();
  }

  @Override
  public LogCounts counts() {
    LogCounts sum = ended;
    for (Part part : open()) {
      if (part.log != null) {
        sum = sum.plus(part.log.counts());
      }
    }
    return new LogCounts(
        sum.lines(),
        given,
        sum.bad(),
        sum.malformed(),
        // Of requests that were read and not given: too early, too late, or still to come.
        sum.skipped() + sum.requests() - given,
        sum.late() + late,
        sum.examples());
  }

  @Override
  public long bytesRead() {
    long sum = endedBytes;
    for (Part part : open()) {
      sum += part.log == null ? 0 : part.log.bytesRead();
    }
    return sum;
  }

  private List<Part> open() {
    List<Part> open = new ArrayList<>(parts);
    if (current != null) {
      open.add(current);
    }
    return open;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  /** What waits in the parts is not wanted any more. */
  private void closeAll() throws IOException {
    for (Part part : open()) {
      SortedLog log = part.log;
      if (log != null) {
        end(part, log);
      }
    }
    parts.clear();
    current = null;
  }

  @Override
  public void close() throws IOException {
    closeAll();
  }
}
