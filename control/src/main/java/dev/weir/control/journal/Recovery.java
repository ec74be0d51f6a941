package dev.weir.control.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;

/**
 * Takes over what an earlier process left. Only the last segment is looked through; all others were
 * synced before the next was made, and if they are damaged since, whoever reads them finds out.
 */
final class Recovery {
  private static final System.Logger LOGGER = System.getLogger(Recovery.class.getName());

  private Recovery() {}

  /**
   * The segments of a folder, of which the last can be written to. All that can be read of them is
   * safe on disk.
   *
   * @param known a sequence that is in the database; higher ones are given to new records
   */
  static Segments recover(JournalFolder folder, long known) throws IOException {
    Segments segments = Segments.in(folder);
    if (segments.isEmpty()) {
      segments.create(known + 1);
      return segments;
    }
    Segment last = segments.last();
    long next = mend(last);
    if (known >= next) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "journal {0}: the database knows record {1}, but the last one here is {2}; was an old"
              + " copy of the folder put back? New records come after {1}",
          folder.path(),
          Long.toString(known),
          Long.toString(next - 1));
      next = known + 1;
    }
    if (next > last.extent().last() + 1) {
      segments.create(next);
    }
    return segments;
  }

  /** Cuts off a torn end; says which sequence no record has ever had. */
  private static long mend(Segment segment) throws IOException {
    try (FileChannel channel =
        FileChannel.open(segment.file(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      FrameScanner scanner = new FrameScanner(channel, segment.first());
      scanner.until(channel.size());
      while (scanner.next()) {
        // Only the end is of interest.
      }
      Tail tail = new Tail(channel, scanner.position(), scanner.expected());
      long damaged = tail.mostDamaged();
      if (tail.bytes() > 0) {
        LOGGER.log(
            damaged == 0 ? System.Logger.Level.INFO : System.Logger.Level.WARNING,
            "{0}: the last {1} bytes are no record: {2}",
            segment.file(),
            Long.toString(tail.bytes()),
            damaged == 0
                ? "one was being written when the process ended"
                : "up to %d were there and are damaged".formatted(damaged));
      }
      if (damaged == 0) {
        channel.truncate(scanner.position());
      }
      // Damaged ones stay as they are, for somebody to look at: a new segment comes behind them.
      // What was written and never synced must be safe before it can be read.
      channel.force(true);
      segment.extent(new Segment.Extent(channel.size(), scanner.expected() - 1));
      return scanner.expected() + damaged;
    }
  }
}
