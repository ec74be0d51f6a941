package dev.weir.backtest;

import java.util.ArrayList;
import java.util.List;

/** Counts what the lines of one file are. */
final class Findings {
  private final String file;
  private final boolean isStrict;
  private final List<String> examples = new ArrayList<>();
  private long lines;
  private long requests;
  private long bad;
  private long malformed;
  private long skipped;

  Findings(String file, boolean isStrict) {
    this.file = file;
    this.isStrict = isStrict;
  }

  void request() {
    lines++;
    requests++;
  }

  void skipped() {
    lines++;
    skipped++;
  }

  void bad(long line, String problem) throws BadLineException {
    lines++;
    bad++;
    if (isStrict) {
      throw new BadLineException(place(line) + problem);
    }
    keep(line, problem);
  }

  /** Never fatal: the line is right, and what it tells of is not counted in life either. */
  void malformed(long line, String problem) {
    lines++;
    malformed++;
    keep(line, "malformed request: " + problem);
  }

  private void keep(long line, String problem) {
    if (examples.size() < LogCounts.MOST_EXAMPLES) {
      examples.add(place(line) + problem);
    }
  }

  private String place(long line) {
    return file + ":" + line + ": ";
  }

  LogCounts counts() {
    return new LogCounts(lines, requests, bad, malformed, skipped, 0, examples);
  }
}
