package dev.weir;

/** Where the windows of a fixed window limit start and end. */
sealed interface Windows {

  static Windows of(FixedWindow limit) {
    if (limit.period() instanceof Period.Calendar calendar) {
      return new ByCalendar(calendar);
    }
    long length = ((Period.Span) limit.period()).micros();
    return limit.align() == FixedWindow.Align.EPOCH
        ? new FromEpoch(length)
        : new FromRequest(length);
  }

  /** The start of the window that a charge at {@code now} opens. */
  long start(long now);

  /** The end of the window that has that start, if {@code now} is in it. */
  long end(long start, long now);

  /**
   * The latest start that a stored window can have at {@code now} without being from the future.
   */
  long latestStart(long now);

  /** Whether the window with that start has ended by {@code now}. */
  boolean hasEnded(long start, long now);

  /** Of one length, at multiples of it since the epoch. */
  record FromEpoch(long length) implements Windows {
    @Override
    public long start(long now) {
      return now - now % length;
    }

    @Override
    public long end(long start, long now) {
      return start + length;
    }

    @Override
    public long latestStart(long now) {
      return start(now);
    }

    @Override
    public boolean hasEnded(long start, long now) {
      return now - start >= length;
    }
  }

  /** Of one length, from a request on. */
  record FromRequest(long length) implements Windows {
    @Override
    public long start(long now) {
      return now;
    }

    @Override
    public long end(long start, long now) {
      return start + length;
    }

    @Override
    public long latestStart(long now) {
      return now;
    }

    @Override
    public boolean hasEnded(long start, long now) {
      return now - start >= length;
    }
  }

  /** The days, weeks or months of a zone. Remembers the window it was last asked about. */
  final class ByCalendar implements Windows {
    private record Window(long start, long end) {
      boolean contains(long now) {
        return start <= now && now < end;
      }
    }

    private final Period.Calendar calendar;

    // Immutable, so a racy read sees a whole window or an older one, and either is checked.
    private Window last = new Window(0, 0);

    ByCalendar(Period.Calendar calendar) {
      this.calendar = calendar;
    }

    private Window window(long now) {
      Window remembered = last;
      if (remembered.contains(now)) {
        return remembered;
      }
      Window window = new Window(calendar.startMicros(now), calendar.endMicros(now));
      last = window;
      return window;
    }

    @Override
    public long start(long now) {
      return window(now).start;
    }

    @Override
    public long end(long start, long now) {
      return window(now).end;
    }

    @Override
    public long latestStart(long now) {
      return window(now).start;
    }

    @Override
    public boolean hasEnded(long start, long now) {
      return start < window(now).start;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof ByCalendar that && calendar.equals(that.calendar);
    }

    @Override
    public int hashCode() {
      return calendar.hashCode();
    }
  }
}
