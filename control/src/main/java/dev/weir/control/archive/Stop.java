package dev.weir.control.archive;

/**
 * Whether work on rows has to end before its time. A flag and no interrupt, which would close the
 * file of an embedded database to everybody.
 */
final class Stop {
  private static final int ROWS_BETWEEN = 1024;

  private volatile boolean isAsked;

  void ask() {
    isAsked = true;
  }

  boolean isAsked() {
    return isAsked;
  }

  /** Looks now and then whether it has been asked for. */
  void check(long row) {
    if (row % ROWS_BETWEEN == 0 && isAsked) {
      throw new ArchiveException("archiving was stopped; the next run goes on with it");
    }
  }
}
