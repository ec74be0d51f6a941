package dev.weir.control.audit;

import dev.weir.control.database.Database;
import dev.weir.control.journal.JournalOptions;
import dev.weir.control.outbox.Delivery;
import dev.weir.control.outbox.Outbox;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * A month of decisions, and ways to bring them into PostgreSQL: as the service does, and by bare
 * COPY. In the package of what it measures, since records are made nowhere else.
 */
public final class AuditLoad {
  /** The month that all of them are in; past retention for long. */
  public static final YearMonth MONTH = YearMonth.of(2020, 5);

  /** How many users there are. */
  public static final int USERS = 10_000;

  private static final int CHUNK = 64 << 10;

  private final List<AuditRecord> records;

  private AuditLoad(List<AuditRecord> records) {
    this.records = records;
  }

  /** That many decisions, the same ones each time. */
  public static AuditLoad of(int rows) {
    SplittableRandom random = new SplittableRandom(1);
    long first = ChronoUnit.MICROS.between(Instant.EPOCH, from());
    long span = ChronoUnit.MICROS.between(from(), to());
    List<AuditRecord> records = new ArrayList<>(rows);
    for (int i = 0; i < rows; i++) {
      records.add(record(i, first + (long) ((double) i / rows * span), random));
    }
    return new AuditLoad(records);
  }

  /** One in twenty is blocked, the others are throttled. */
  private static AuditRecord record(int number, long micros, SplittableRandom random) {
    String user = user(random.nextInt(USERS));
    boolean isBlocked = random.nextInt(20) == 0;
    return new AuditRecord.Builder()
        .put(AuditColumn.TIMESTAMP, micros)
        .put(AuditColumn.CLIENT, "user:" + user)
        .put(AuditColumn.USER_ID, user)
        .put(AuditColumn.IP_ADDRESS, "10.%d.%d.7".formatted(number & 255, number >> 8 & 255))
        .put(AuditColumn.TIER, "free")
        .put(AuditColumn.ENDPOINT, "chat")
        .put(AuditColumn.PATH, "/api/v1/rag/chat")
        .put(AuditColumn.HTTP_METHOD, "POST")
        .put(AuditColumn.RULE_NAME, isBlocked ? "closed" : "endpoint:chat")
        .put(AuditColumn.DECISION, isBlocked ? "blocked" : "throttled")
        .put(AuditColumn.REASON, isBlocked ? "blocked_by_rule" : "limit_exceeded")
        .put(AuditColumn.COST, 1)
        .put(AuditColumn.CURRENT_COUNT, 10)
        .put(AuditColumn.LIMIT_VALUE, 10)
        .put(AuditColumn.WINDOW_RESET, micros + 1_000_000L * random.nextInt(60))
        .put(AuditColumn.RESPONSE_STATUS, isBlocked ? 403 : 429)
        .put(AuditColumn.RETRY_AFTER_SECONDS, random.nextInt(60))
        .put(AuditColumn.DEGRADED, false)
        .put(AuditColumn.POLICY, "5f2b8c1d9e3a")
        .put(AuditColumn.REGION, "eu")
        .put(AuditColumn.SERVER_ID, "server-1")
        .put(AuditColumn.LATENCY_MICROS, random.nextInt(500))
        .build();
  }

  /** The user with that number. */
  public static String user(int number) {
    return "user-" + number;
  }

  /** When the month begins. */
  public static Instant from() {
    return MONTH.atDay(1).atStartOfDay().toInstant(ZoneOffset.UTC);
  }

  /** When the month has ended. */
  public static Instant to() {
    return MONTH.plusMonths(1).atDay(1).atStartOfDay().toInstant(ZoneOffset.UTC);
  }

  /** How many there are. */
  public int rows() {
    return records.size();
  }

  /** The first of them. */
  public AuditLoad first(int rows) {
    return new AuditLoad(records.subList(0, rows));
  }

  /** What they take in the journal, without what frames them. */
  public long journalBytes() {
    return records.stream().mapToLong(record -> AuditCodec.encode(record).length).sum();
  }

  /**
   * By one COPY of text in one transaction; the text is ready before the clock starts.
   *
   * @return how long it took, in seconds
   */
  public double copyText(Database database) throws SQLException {
    List<byte[]> chunks = chunks();
    long startNanos = System.nanoTime();
    database
        .jdbiForLongWork()
        .<SQLException>useTransaction(
            handle -> {
              CopyIn copy =
                  handle
                      .getConnection()
                      .unwrap(PGConnection.class)
                      .getCopyAPI()
                      .copyIn(
                          "copy rate_limit_audit_logs (%s) from stdin"
                              .formatted(AuditColumn.names()));
              for (byte[] each : chunks) {
                copy.writeToCopy(each, 0, each.length);
              }
              copy.endCopy();
            });
    return secondsSince(startNanos);
  }

  private List<byte[]> chunks() {
    List<byte[]> chunks = new ArrayList<>();
    StringBuilder chunk = new StringBuilder();
    for (AuditRecord record : records) {
      chunk.append(text(new AuditEntry(0, record)));
      if (chunk.length() >= CHUNK) {
        chunks.add(chunk.toString().getBytes(StandardCharsets.UTF_8));
        chunk.setLength(0);
      }
    }
    chunks.add(chunk.toString().getBytes(StandardCharsets.UTF_8));
    return chunks;
  }

  private static String text(AuditEntry entry) {
    return AuditColumn.ALL.stream()
        .map(each -> entry.record().has(each) ? entry.text(each) : "\\N")
        .collect(Collectors.joining("\t", "", "\n"));
  }

  /**
   * By one COPY in PostgreSQL's binary form, in one transaction.
   *
   * @return how long it took, in seconds
   */
  public double copyBinary(Database database) throws SQLException {
    long startNanos = System.nanoTime();
    database
        .jdbiForLongWork()
        .<SQLException>useTransaction(handle -> AuditCopy.write(handle.getConnection(), records));
    return secondsSince(startNanos);
  }

  /**
   * As the service does: by way of a journal in that folder, which must be empty.
   *
   * @return how long it took from the first that was put until the last was in the database, in
   *     seconds
   */
  public double ingest(Database database, Path folder) {
    try (Outbox outbox = Outbox.open(folder, JournalOptions.defaults());
        Delivery delivery =
            new Delivery(outbox, database, "bench", List.of(new AuditSink(database)))) {
      long startNanos = System.nanoTime();
      for (AuditRecord record : records) {
        byte[] payload = AuditCodec.encode(record);
        while (!outbox.put(AuditSink.KIND, payload)) {
          LockSupport.parkNanos(1_000_000);
        }
      }
      while (delivery.statistics().delivered() < records.size()) {
        LockSupport.parkNanos(1_000_000);
      }
      return secondsSince(startNanos);
    }
  }

  private static double secondsSince(long startNanos) {
    return (System.nanoTime() - startNanos) / 1e9;
  }
}
