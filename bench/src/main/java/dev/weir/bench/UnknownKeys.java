package dev.weir.bench;

import com.google.gson.Gson;
import dev.weir.TimeSource;
import dev.weir.control.database.Database;
import dev.weir.control.keys.StoredKeys;
import dev.weir.control.quotas.StoredUsers;
import dev.weir.control.rows.CacheOptions;
import dev.weir.testkit.process.Await;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Keys that nobody has, as fast as one thread can ask for them; and, before that, what those take
 * in memory that are known. Runs in a JVM of its own. Argument: for how many seconds.
 */
final class UnknownKeys {
  /** The server counts late. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /**
   * The flood ends that much before its last second does: what holds for every second then holds
   * for all of them together, and the look-ups of a second more are not among those counted.
   */
  private static final double MARGIN = 0.05;

  private UnknownKeys() {}

  /** What was measured. */
  record Result(ControlRun.Flood flood, ControlRun.Memory memory) {}

  public static void main(String[] args) {
    try (Database database = ManyClients.database()) {
      System.out.println(new Gson().toJson(run(database, Integer.parseInt(args[0]))));
    }
  }

  static Result run(Database database, int seconds) {
    CacheOptions options = CacheOptions.defaults();
    TimeSource time = TimeSource.system();
    try (StoredKeys keys = new StoredKeys(database, options, time);
        StoredUsers users = new StoredUsers(database, options, time, (user, used) -> {});
        // One that has not read all keys, as if there was no room for them.
        StoredKeys some = new StoredKeys(database, options, time)) {
      Await.until("a key is known", PATIENCE, () -> some.find(ManyClients.key(0)) != null);
      long empty = MemoryPerKey.usedHeap();
      keys.readAll();
      long withKeys = MemoryPerKey.usedHeap();
      users.readAll();
      long withUsers = MemoryPerKey.usedHeap();
      ControlRun.Memory memory =
          new ControlRun.Memory(
              (withKeys - empty) / (double) keys.statistics().entries(),
              (withUsers - withKeys) / (double) users.statistics().entries());
      return new Result(flood(database, some, options.lookUpsPerSecond(), seconds), memory);
    }
  }

  private static ControlRun.Flood flood(
      Database database, StoredKeys keys, int bound, int forSeconds) {
    SplittableRandom random = new SplittableRandom(5);
    String known = ManyClients.key(0);
    long scansBefore = scans(database);
    long lookUpsBefore = keys.statistics().lookUps();
    long asked = 0;
    long startNanos = System.nanoTime();
    double seconds;
    do {
      for (int i = 0; i < 1_000; i++) {
        String stranger =
            "wk_%016x%016x_01234567890123456789012345678901"
                .formatted(random.nextLong(), random.nextLong());
        if (keys.find(stranger) != null || keys.find(known) == null) {
          throw new IllegalStateException("expected the known key only to be known");
        }
        asked++;
      }
      seconds = (System.nanoTime() - startNanos) / 1e9;
    } while (seconds < forSeconds - MARGIN);
    long lookUps = keys.statistics().lookUps() - lookUpsBefore;
    Await.until("all is counted", PATIENCE, () -> scans(database) - scansBefore >= lookUps);
    return new ControlRun.Flood(
        bound, asked / seconds, (double) (scans(database) - scansBefore) / forSeconds);
  }

  /** How often rows of keys were looked for by id. */
  private static long scans(Database database) {
    return database
        .jdbi()
        .withHandle(
            handle ->
                handle
                    .createQuery(
                        "select idx_scan from pg_stat_user_indexes"
                            + " where indexrelname = 'api_keys_pkey'")
                    .mapTo(Long.class)
                    .one());
  }
}
