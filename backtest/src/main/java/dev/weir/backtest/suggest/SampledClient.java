package dev.weir.backtest.suggest;

/**
 * A client at an endpoint, as far as it is needed to go on: its last requests, how busy it is in
 * each window, and which rungs ever refused it.
 */
final class SampledClient {
  /** How many requests are remembered; a power of 2. */
  static final int REMEMBERED = 16;

  private final String key;
  private final long hash;
  private final long[] refusedBy;
  private final Run[] runs;
  private final long[] times = new long[REMEMBERED];
  private final long[] costs = new long[REMEMBERED];
  private long seen;

  /** Requests since the client last rested for so long that its counters were as new. */
  static final class Run {
    private long length;
    private long demand;
    private int open;

    /** How many rungs count the client; the others have more permits than it has asked for. */
    int open() {
      return open;
    }

    void open(int rungs) {
      open = rungs;
    }

    /** How many requests there were before the latest. */
    int before() {
      return (int) Math.min(Integer.MAX_VALUE, length - 1);
    }
  }

  /**
   * A client.
   *
   * @param key names its counters
   * @param hash says whether it is in a sample
   */
  SampledClient(String key, long hash, int lanes) {
    this.key = key;
    this.hash = hash;
    this.refusedBy = new long[lanes];
    this.runs = new Run[Window.ALL.size()];
    for (int i = 0; i < runs.length; i++) {
      runs[i] = new Run();
    }
  }

  String key() {
    return key;
  }

  long hash() {
    return hash;
  }

  Run run(Window window) {
    return runs[window.number()];
  }

  /** Forgets what can be forgotten by that time. */
  void rest(Window window, long nowMicros) {
    if (seen > 0 && nowMicros - time(1) >= window.restMicros()) {
      Run run = run(window);
      run.length = 0;
      run.demand = 0;
      run.open = 0;
    }
  }

  /**
   * Adds a request to the run of a window, before it is remembered.
   *
   * @return how many rungs have to count the client from now on
   */
  int lengthen(Window window, long cost) {
    Run run = run(window);
    run.length++;
    if (run.open == window.rungs()) {
      return run.open;
    }
    run.demand += Math.min(cost, window.permits(window.rungs() - 1) + 1);
    return run.length > REMEMBERED ? window.rungs() : window.rungsBelow(run.demand);
  }

  void remember(long atMicros, long cost) {
    int at = (int) (seen & (REMEMBERED - 1));
    times[at] = atMicros;
    costs[at] = cost;
    seen++;
  }

  /** When it asked, so many requests ago: 1 is the last that is remembered. */
  long time(int ago) {
    return times[(int) ((seen - ago) & (REMEMBERED - 1))];
  }

  long cost(int ago) {
    return costs[(int) ((seen - ago) & (REMEMBERED - 1))];
  }

  void addRefusing(int lane, long rungs) {
    refusedBy[lane] |= rungs;
  }

  /** The rungs that ever refused it, as bits. */
  long refusedBy(int lane) {
    return refusedBy[lane];
  }
}
