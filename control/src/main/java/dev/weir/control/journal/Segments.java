package dev.weir.control.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The segments of a journal in their order. The last one is written to; it is never deleted, so
 * that its name tells the next sequence even when it is empty.
 */
final class Segments {
  private static final System.Logger LOGGER = System.getLogger(Segments.class.getName());

  private final JournalFolder folder;
  private final ConcurrentNavigableMap<Long, Segment> byFirst = new ConcurrentSkipListMap<>();

  private Segments(JournalFolder folder) {
    this.folder = folder;
  }

  /** All that there are. Each is taken to reach to the next; how far the last does is not known. */
  static Segments in(JournalFolder folder) throws IOException {
    Segments segments = new Segments(folder);
    List<Long> firsts = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder.path())) {
      files.map(Segment::firstOf).flatMapToLong(OptionalLong::stream).sorted().forEach(firsts::add);
    }
    for (int i = 0; i < firsts.size(); i++) {
      long first = firsts.get(i);
      long last = i + 1 < firsts.size() ? firsts.get(i + 1) - 1 : first - 1;
      segments.add(first, last);
    }
    return segments;
  }

  private void add(long first, long last) throws IOException {
    Segment segment = new Segment(folder.path(), first, new Segment.Extent(0, last));
    segment.extent(new Segment.Extent(Files.size(segment.file()), last));
    byFirst.put(first, segment);
  }

  boolean isEmpty() {
    return byFirst.isEmpty();
  }

  /** The one that is written to. */
  Segment last() {
    return byFirst.lastEntry().getValue();
  }

  /**
   * A new last segment; whether it is there does not depend on luck any more when this returns. The
   * one before it reaches up to there, whatever can be read of it.
   */
  Segment create(long first) throws IOException {
    Segment segment = new Segment(folder.path(), first, new Segment.Extent(0, first - 1));
    // One that is there was made by a try that failed; nothing of it has been synced.
    try (FileChannel made =
        FileChannel.open(
            segment.file(),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      made.force(true);
    }
    folder.sync();
    if (!isEmpty()) {
      Segment before = last();
      before.rest();
      before.extent(new Segment.Extent(before.extent().bytes(), first - 1));
    }
    byFirst.put(first, segment);
    return segment;
  }

  /** The one that holds a sequence, or would; the first one for a sequence before all. */
  Segment holding(long sequence) {
    Map.Entry<Long, Segment> entry = byFirst.floorEntry(sequence);
    return entry == null ? byFirst.firstEntry().getValue() : entry.getValue();
  }

  /** The one behind another; null behind the last. */
  @Nullable Segment after(Segment segment) {
    Map.Entry<Long, Segment> entry = byFirst.higherEntry(segment.first());
    return entry == null ? null : entry.getValue();
  }

  boolean contains(Segment segment) {
    return byFirst.containsKey(segment.first());
  }

  /** The lowest sequence that may be on disk. */
  long oldest() {
    return byFirst.firstKey();
  }

  /** How long they are together. */
  long bytes() {
    return byFirst.values().stream().mapToLong(segment -> segment.extent().bytes()).sum();
  }

  /**
   * Deletes those that hold nothing above a sequence; the last one stays. After a power failure a
   * deleted one may be there again, which does no harm.
   *
   * @return how many bytes that made free
   */
  long deleteThrough(long sequence) {
    long freed = 0;
    while (byFirst.size() > 1) {
      Segment oldest = byFirst.firstEntry().getValue();
      if (oldest.extent().last() > sequence) {
        break;
      }
      try {
        Files.deleteIfExists(oldest.file());
      } catch (IOException failure) {
        LOGGER.log(System.Logger.Level.WARNING, oldest.file() + " cannot be deleted", failure);
        break;
      }
      byFirst.remove(oldest.first());
      freed += oldest.extent().bytes();
    }
    return freed;
  }
}
