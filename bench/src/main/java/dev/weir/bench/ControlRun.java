package dev.weir.bench;

import java.util.List;

/**
 * What one round has measured of the control plane.
 *
 * @param requests to the service, with keys and without, for each number of clients
 * @param decisions one for each way to tell who asks, and number of clients
 * @param flood unknown keys
 * @param memory of what is known
 * @param month a month of decisions that are kept
 */
record ControlRun(
    List<Requests> requests, List<Decisions> decisions, Flood flood, Memory memory, Month month) {

  public ControlRun {
    // Runs of before have none.
    requests = requests == null ? List.of() : List.copyOf(requests);
  }

  /**
   * What requests to the service cost.
   *
   * @param hasKey whether they showed a key
   * @param clients how many asked
   * @param perSecond how many were answered
   * @param decidingMicros of the processor's time, for each, of the threads that decide
   * @param cpuMicros of the whole service
   */
  record Requests(
      boolean hasKey, int clients, double perSecond, double decidingMicros, double cpuMicros) {}

  /**
   * What decisions cost.
   *
   * @param way what told who asks
   * @param clients how many asked
   * @param nanos of the processor's time, for each
   * @param bytes that each left behind
   */
  record Decisions(KnownClientLoad.Way way, int clients, double nanos, double bytes) {}

  /**
   * What came of asking for keys that nobody has.
   *
   * @param bound how many look-ups a second are allowed
   * @param askedPerSecond unknown keys, each of them another one
   * @param lookUpsPerSecond how often the database looked for a key, as it counts itself
   */
  record Flood(int bound, double askedPerSecond, double lookUpsPerSecond) {}

  /**
   * The heap that what is known takes.
   *
   * @param bytesPerKey of an API key
   * @param bytesPerUser of a user with a monthly quota or a tier
   */
  record Memory(double bytesPerKey, double bytesPerUser) {}

  /**
   * What a month went through.
   *
   * @param rows how many decisions
   * @param copyTextSeconds by a bare COPY of text
   * @param copyBinarySeconds by a bare COPY in binary form
   * @param ingestSeconds by journal and delivery
   * @param byUser queries by user
   * @param byDecision queries by decision
   * @param archiveSeconds writing the file, reading it back, and dropping the month
   * @param duckDbSeconds opening DuckDB and counting
   * @param duckDbRows what DuckDB has counted
   * @param rowsLeft what is still in the database then
   * @param sizes what it all takes
   */
  record Month(
      int rows,
      double copyTextSeconds,
      double copyBinarySeconds,
      double ingestSeconds,
      Queries byUser,
      Queries byDecision,
      double archiveSeconds,
      double duckDbSeconds,
      long duckDbRows,
      long rowsLeft,
      Sizes sizes) {

    /** The better one of both, in rows a second. */
    double copyPerSecond() {
      return rows / Math.min(copyTextSeconds, copyBinarySeconds);
    }

    double ingestPerSecond() {
      return rows / ingestSeconds;
    }
  }

  /** How long pages of 100 entries took. */
  record Queries(double firstMillis, double medianMillis, double slowestMillis) {}

  /**
   * Bytes of all rows.
   *
   * @param journal of the records, on local disk
   * @param table without its indexes
   * @param indexes of the table
   * @param wal what the server wrote to its log when they came in
   * @param parquet the file in the archive
   */
  record Sizes(long journal, long table, long indexes, long wal, long parquet) {}
}
