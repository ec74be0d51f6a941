package dev.weir.bench;

/**
 * What one look at a log took.
 *
 * @param part how much was done with each line
 * @param lines how many lines the log has, each a request
 * @param refused how many of them were refused
 * @param seconds from opening the log to the report, the compiling of the JVM included
 * @param cpuSeconds what the whole process took of a core, its start included
 * @param heapMegabytes what was in use at the end
 */
record BacktestRun(
    Part part, long lines, long refused, double seconds, double cpuSeconds, double heapMegabytes) {

  /** How much is done with each line. */
  enum Part {
    READ("read only"),
    REPLAY("read, decided and added up");

    final String title;

    Part(String title) {
      this.title = title;
    }
  }

  double linesPerSecond() {
    return lines / seconds;
  }

  double cpuMicros() {
    return cpuSeconds * 1e6 / lines;
  }
}
