package dev.weir.policy.event;

import dev.weir.TimeSource;
import dev.weir.policy.GateListener;
import dev.weir.policy.Outcome;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.EventSettings;
import dev.weir.policy.config.EventType;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Writes decisions as lines of JSON, off the way of the requests: a request only puts its verdict
 * into a queue. When the queue is full, or the output fails, events are lost and counted, and
 * requests go on.
 */
public final class EventLog implements GateListener, AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(EventLog.class.getName());
  private static final int QUEUE = 16_384;
  private static final int BATCH = 512;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final EventSettings settings;
  private final TimeSource time;
  private final EventLine lines;
  private final OutputStream out;
  private final BlockingQueue<Event> queue = new ArrayBlockingQueue<>(QUEUE);
  private final LongAdder lost = new LongAdder();
  private final Thread writer;
  private volatile boolean isClosed;

  /** Only the first failure is logged. Belongs to the writer. */
  private boolean hasFailed;

  /** What happened, and when: a verdict, or why there could be none. */
  record Event(
      EventType type,
      Request request,
      @Nullable Verdict verdict,
      @Nullable Throwable failure,
      long atMicros) {}

  /**
   * A log.
   *
   * @param settings which events, and where to
   * @param time the clock that events are dated by
   * @param serverId the name of this instance
   * @param region the name of its region
   */
  public EventLog(EventSettings settings, TimeSource time, String serverId, String region) {
    this(settings, time, serverId, region, output(settings.file()));
  }

  EventLog(
      EventSettings settings, TimeSource time, String serverId, String region, OutputStream out) {
    this.settings = settings;
    this.time = time;
    this.lines = new EventLine(serverId, region);
    this.out = out;
    this.writer = new Thread(this::write, "weir-events");
    writer.setDaemon(true);
    writer.start();
  }

  private static OutputStream output(String file) {
    if (file.isEmpty()) {
      return System.out;
    }
    try {
      return Files.newOutputStream(
          Path.of(file), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException unwritable) {
      throw new UncheckedIOException("events.file: \"" + file + "\" cannot be written", unwritable);
    }
  }

  @Override
  public void decided(Verdict verdict, long latencyNanos) {
    EventType type = type(verdict.outcome());
    if (settings.log().contains(type) || isRefusedInShadow(type, verdict)) {
      offer(type, verdict.request(), verdict, null);
    }
  }

  /** Who wants to hear of refusals wants to hear of those that a rule on trial would bring. */
  private boolean isRefusedInShadow(EventType type, Verdict verdict) {
    return type == EventType.ALLOWED
        && settings.log().contains(EventType.THROTTLED)
        && !verdict.refusingShadows().isEmpty();
  }

  @Override
  public void failed(Request request, Throwable failure) {
    if (settings.log().contains(EventType.BACKEND_ERROR)) {
      offer(EventType.BACKEND_ERROR, request, null, failure);
    }
  }

  private static EventType type(Outcome outcome) {
    return switch (outcome) {
      case ALLOWED -> EventType.ALLOWED;
      case THROTTLED -> EventType.THROTTLED;
      case BLOCKED -> EventType.BLOCKED;
    };
  }

  private void offer(
      EventType type, Request request, @Nullable Verdict verdict, @Nullable Throwable failure) {
    if (isClosed || !isSampled()) {
      return;
    }
    // Of a decision by counters: who replays it has to do so at the very same time.
    long decidedAt = verdict == null ? 0 : verdict.atMicros();
    long atMicros = decidedAt == 0 ? time.nowMicros() : decidedAt;
    if (!queue.offer(new Event(type, request, verdict, failure, atMicros))) {
      lost.increment();
    }
  }

  private boolean isSampled() {
    double sample = settings.sample();
    return sample >= 1 || ThreadLocalRandom.current().nextDouble() < sample;
  }

  /** How many events wait for being written. */
  public int waiting() {
    return queue.size();
  }

  /** How many events were lost since the start. */
  public long lost() {
    return lost.sum();
  }

  private void write() {
    List<Event> batch = new ArrayList<>();
    while (!isClosed || !queue.isEmpty()) {
      try {
        Event first = queue.poll(100, TimeUnit.MILLISECONDS);
        if (first != null) {
          batch.add(first);
          queue.drainTo(batch, BATCH);
          write(batch);
        }
      } catch (InterruptedException ended) {
        // Nobody but whoever ends the JVM interrupts this thread.
        return;
      } finally {
        batch.clear();
      }
    }
  }

  /** Whatever goes wrong, the thread goes on: later events may do better. */
  private void write(List<Event> batch) {
    try {
      StringBuilder text = new StringBuilder();
      for (Event event : batch) {
        text.append(lines.of(event)).append('\n');
      }
      out.write(text.toString().getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException | RuntimeException failure) {
      if (!hasFailed) {
        hasFailed = true;
        LOGGER.log(System.Logger.Level.WARNING, "events cannot be written and are lost", failure);
      }
      lost.add(batch.size());
    }
  }

  /** Writes what is in the queue, and ends. */
  @Override
  public void close() {
    isClosed = true;
    try {
      writer.join(PATIENCE.toMillis());
      if (out != System.out) {
        out.close();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (IOException failure) {
      LOGGER.log(System.Logger.Level.WARNING, "the file of events could not be closed", failure);
    }
  }
}
