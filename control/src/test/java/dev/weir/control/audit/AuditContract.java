package dev.weir.control.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.TimeSource;
import dev.weir.control.change.Changes;
import dev.weir.control.database.Database;
import dev.weir.control.database.MonthlyTable;
import dev.weir.control.database.Partitions;
import dev.weir.control.database.Vendor;
import dev.weir.control.query.Conditions;
import dev.weir.control.query.InvalidQuery;
import dev.weir.control.testing.Databases;
import dev.weir.testkit.TestLevel;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.YearMonth;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What holds for decisions in every database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AuditContract {
  private static final Instant FIRST = Instant.parse("2026-01-20T00:00:00Z");
  private static final Instant LAST = Instant.parse("2026-04-02T00:00:00Z");
  private static final int RECORDS = 3_000;

  /** How many decisions of about nine months there are on H2 when plans are looked at. */
  private static final int H2_ROWS = TestLevel.amount("weir.control.h2.rows", 5_000, 80_000);

  private final long seed =
      Long.getLong("weir.seed", ThreadLocalRandom.current().nextLong(1_000_000_000_000L));
  private final Databases databases;

  private final AuditModel model = new AuditModel();

  private Database database;
  private AuditQueries queries;

  @SuppressWarnings("NullAway") // The database is opened before the first test.
  AuditContract(Databases databases) {
    this.databases = databases;
  }

  @BeforeAll
  void fill(@TempDir Path folder) {
    database = databases.migrated(folder).open();
    queries = new AuditQueries(database);
    RandomRecords records =
        new RandomRecords(seed, micros(FIRST), ChronoUnit.MICROS.between(FIRST, LAST));
    AuditSink sink = new AuditSink(database);
    while (model.size() < RECORDS) {
      List<AuditRecord> batch = new ArrayList<>();
      for (int i = records.random().nextInt(1, 500); i > 0; i--) {
        batch.add(records.next());
      }
      write(database, sink, batch);
      model.addAll(batch);
    }
  }

  @AfterAll
  void stop() {
    database.close();
    databases.close();
  }

  private static long micros(Instant instant) {
    return AuditRecord.micros(instant);
  }

  private static void write(Database database, AuditSink sink, List<AuditRecord> records) {
    try {
      database
          .jdbi()
          .<Exception>useTransaction(
              handle -> sink.write(handle, records.stream().map(AuditCodec::encode).toList()));
    } catch (Exception failure) {
      throw new IllegalStateException(failure);
    }
  }

  private List<AuditRecord> walk(AuditFilter filter, int most) {
    List<AuditRecord> found = new ArrayList<>();
    String cursor = null;
    do {
      AuditPage page = queries.page(filter, cursor, most);
      page.entries().forEach(entry -> found.add(entry.record()));
      assertThat(page.entries()).hasSizeLessThanOrEqualTo(most);
      assertThat(page.next() == null || page.entries().size() == most).isTrue();
      cursor = page.next();
    } while (cursor != null);
    return found;
  }

  @Test
  void queriesFindWhatAPlainModelFinds() {
    SplittableRandom random = new SplittableRandom(seed);
    int found = 0;
    for (int i = 0; i < 100; i++) {
      AuditFilter filter = randomFilter(random);
      List<AuditRecord> expected = model.expected(filter);
      assertThat(walk(filter, random.nextInt(20, 1_001)))
          .as("seed %d, %s", seed, filter)
          .isEqualTo(expected);
      found += expected.isEmpty() ? 0 : 1;
    }
    assertThat(found).as("seed %d", seed).isGreaterThan(30);
    assertThat(walk(AuditFilter.ALL, 1_000)).isEqualTo(model.expected(AuditFilter.ALL));
  }

  private AuditFilter randomFilter(SplittableRandom random) {
    AuditRecord like = model.get(random.nextInt(model.size()));
    Instant from = random.nextInt(3) == 0 ? like.timestamp().minusSeconds(1_000_000) : null;
    Instant to = random.nextInt(3) == 0 ? like.timestamp().plusNanos(1_000) : null;
    return new AuditFilter(
        maybe(random, like, AuditColumn.USER_ID),
        maybe(random, like, AuditColumn.CLIENT),
        maybe(random, like, AuditColumn.API_KEY_ID),
        maybe(random, like, AuditColumn.IP_ADDRESS),
        maybe(random, like, AuditColumn.DECISION),
        maybe(random, like, AuditColumn.ENDPOINT),
        maybe(random, like, AuditColumn.RULE_NAME),
        maybe(random, like, AuditColumn.REGION),
        from,
        to);
  }

  private static @Nullable String maybe(
      SplittableRandom random, AuditRecord like, AuditColumn column) {
    return random.nextInt(5) == 0 ? like.text(column) : null;
  }

  @Test
  void whatIsAddedMeanwhileIsInNoLaterPage(@TempDir Path folder) {
    try (Database other = databases.migrated(folder).open()) {
      AuditSink sink = new AuditSink(other);
      RandomRecords records = new RandomRecords(seed, micros(FIRST), 1_000_000);
      List<AuditRecord> first = List.of(records.next(), records.next(), records.next());
      write(other, sink, first);
      AuditQueries here = new AuditQueries(other);
      AuditPage page = here.page(AuditFilter.ALL, null, 1);
      write(other, sink, List.of(new RandomRecords(seed, micros(LAST), 1_000_000).next()));
      AuditPage rest = here.page(AuditFilter.ALL, page.next(), 1_000);
      assertThat(rest.entries()).hasSize(2);
      assertThat(rest.next()).isNull();
      assertThat(first)
          .containsAll(rest.entries().stream().map(AuditEntry::record).toList())
          .contains(page.entries().get(0).record());
    }
  }

  @Test
  void whatCannotBeAskedIsRefusedByTheNameOfTheField() {
    assertInvalid("cursor", AuditFilter.ALL, "abc", 10);
    assertInvalid("limit", AuditFilter.ALL, null, 0);
    assertInvalid("limit", AuditFilter.ALL, null, 1_001);
    assertInvalid("decision", AuditFilter.ALL.withDecision("maybe"), null, 10);
    assertInvalid("user", AuditFilter.ALL.withUser("a\0b"), null, 10);
    assertInvalid("from", AuditFilter.ALL.between(LAST, FIRST), null, 10);
    assertInvalid(
        "ip",
        new AuditFilter(null, null, null, "10.0.0.0/8", null, null, null, null, null, null),
        null,
        10);
    assertThatThrownBy(
            () ->
                queries.export(
                    AuditFilter.ALL.withDecision("no"), ExportFormat.CSV, new StringWriter()))
        .hasMessage("decision must be allowed, throttled or blocked, got \"no\"");
  }

  private void assertInvalid(String field, AuditFilter filter, @Nullable String cursor, int most) {
    assertThatThrownBy(() -> queries.page(filter, cursor, most))
        .isInstanceOf(InvalidQuery.class)
        .hasMessageStartingWith(field + " must ")
        .satisfies(e -> assertThat(((InvalidQuery) e).field()).isEqualTo(field));
  }

  @Test
  void addressesAreFoundInAnySpelling() {
    AuditFilter filter =
        new AuditFilter(
            null, null, null, "2001:0DB8:0:0::0001", null, null, null, null, null, null);
    assertThat(queries.page(filter, null, 1_000).entries())
        .isNotEmpty()
        .allSatisfy(
            entry ->
                assertThat(entry.record().text(AuditColumn.IP_ADDRESS)).isEqualTo("2001:db8::1"));
  }

  @Test
  void anExportHasAllThatMatches() throws IOException {
    for (AuditFilter filter : List.of(AuditFilter.ALL, AuditFilter.ALL.withUser("bob"))) {
      List<AuditRecord> expected = model.expected(filter);
      StringWriter json = new StringWriter();
      assertThat(queries.export(filter, ExportFormat.JSON_LINES, json)).isEqualTo(expected.size());
      List<String> lines = json.toString().lines().toList();
      assertThat(lines).hasSameSizeAs(expected);
      assertThat(lines.get(0)).startsWith("{\"log_id\": ").endsWith("}");

      StringWriter csv = new StringWriter();
      assertThat(queries.export(filter, ExportFormat.CSV, csv)).isEqualTo(expected.size());
      List<List<String>> rows = Csv.parse(csv.toString());
      assertThat(rows).hasSize(expected.size() + 1);
      assertThat(String.join(", ", rows.get(0))).isEqualTo("log_id, " + AuditColumn.names());
      for (int i = 0; i < expected.size(); i++) {
        assertRow(expected.get(i), rows.get(i + 1));
      }
    }
  }

  private static void assertRow(AuditRecord record, List<String> row) {
    AuditEntry entry = new AuditEntry(0, record);
    for (AuditColumn each : AuditColumn.ALL) {
      String cell = row.get(each.index() + 1);
      String value = visible(entry.text(each));
      assertThat(cell).isIn(value, "'" + value);
      assertThat(cell).doesNotMatch("(?s)[=+@\\t\\r\\n-].*");
    }
  }

  private static String visible(String text) {
    return text.codePoints()
        .mapToObj(
            c ->
                c < ' ' || c == 0x2028 || c == 0x202e
                    ? "\\u%04x".formatted(c)
                    : Character.toString(c))
        .collect(Collectors.joining());
  }

  @Test
  void aPageIsJson() {
    AuditPage page = queries.page(AuditFilter.ALL, null, 2);
    assertThat(page.toJson())
        .startsWith("{\"items\": [{\"log_id\": ")
        .endsWith("}], \"next\": \"" + page.next() + "\"}");
    assertThat(queries.page(AuditFilter.ALL.withUser("nobody"), null, 2).toJson())
        .isEqualTo("{\"items\": [], \"next\": null}");
  }

  @Test
  void rowsOfAnyMonthFindAPlaceAlsoOfOneThatWasTakenAway(@TempDir Path folder) {
    try (Database other = databases.migrated(folder).open()) {
      AuditSink sink = new AuditSink(other);
      List<AuditRecord> records =
          List.of(
              new RandomRecords(seed, 0, 1_000_000).next(),
              new RandomRecords(seed, micros(Instant.parse("2045-02-28T23:59:59Z")), 1_000_000)
                  .next(),
              new RandomRecords(seed, micros(Instant.parse("2399-12-31T23:59:58Z")), 1_000_000)
                  .next());
      write(other, sink, records);
      assertThat(count(other)).isEqualTo(3);
      Partitions.of(other).drop(MonthlyTable.AUDIT_LOGS, YearMonth.of(2045, 2));
      assertThat(count(other)).isEqualTo(2);
      if (other.vendor() == Vendor.POSTGRESQL) {
        assertThatThrownBy(() -> write(other, sink, records)).hasMessageContaining("partition");
      }
      // The next attempt makes room again.
      write(other, sink, records);
      assertThat(count(other)).isEqualTo(5);
    }
  }

  private static long count(Database database) {
    return database
        .jdbi()
        .withHandle(
            handle ->
                handle
                    .createQuery("select count(*) from rate_limit_audit_logs")
                    .mapTo(Long.class)
                    .one());
  }

  @Test
  void queriesUseIndexes(@TempDir Path folder) {
    try (Database other = databases.migrated(folder).open()) {
      Partitions.of(other)
          .create(MonthlyTable.AUDIT_LOGS, YearMonth.of(2026, 1), YearMonth.of(2026, 12));
      other.jdbiForLongWork().useHandle(handle -> handle.execute(manyRows(other.vendor())));
      if (other.vendor() == Vendor.POSTGRESQL) {
        other
            .jdbiForLongWork()
            .useHandle(handle -> handle.execute("analyze rate_limit_audit_logs"));
      }
      Instant from = Instant.parse("2026-05-01T00:00:00Z");
      Instant to = Instant.parse("2026-06-01T00:00:00Z");
      AuditFilter may = AuditFilter.ALL.between(from, to);
      assertThat(plan(other, may.withUser("user-7")))
          .contains("user_id")
          .doesNotContain("Seq Scan");
      assertThat(plan(other, may.withDecision("blocked")))
          .contains("decision")
          .doesNotContain("Seq Scan");
      assertThat(plan(other, may)).doesNotContain("Seq Scan").doesNotContain("tableScan");
      AuditPage page = new AuditQueries(other).page(may.withUser("user-7"), null, 5);
      assertThat(page.entries()).hasSize(5);
      assertThat(new AuditQueries(other).page(may.withUser("user-7"), page.next(), 1_000).entries())
          .isNotEmpty()
          .allSatisfy(
              entry ->
                  assertThat(entry.record().timestamp())
                      .isBefore(page.entries().get(4).record().timestamp()));
    }
  }

  private static String manyRows(Vendor vendor) {
    return switch (vendor) {
      case H2 ->
          """
          insert into rate_limit_audit_logs (timestamp, user_id, decision)
          select dateadd(minute, %d * n, timestamp with time zone '2026-01-01 00:00:00+00'),
            'user-' || mod(n, 100), case mod(n, 50) when 0 then 'blocked' else 'throttled' end
          from (select "X" as n from system_range(1, %d))
          """
              .formatted(400_000 / H2_ROWS, H2_ROWS);
      case POSTGRESQL ->
          """
          insert into rate_limit_audit_logs (timestamp, user_id, decision)
          select timestamptz '2026-01-01 00:00:00+00' + n * interval '5 minutes',
            'user-' || n % 100, case n % 50 when 0 then 'blocked' else 'throttled' end
          from generate_series(1, 80000) n
          """;
    };
  }

  private static String plan(Database database, AuditFilter filter) {
    Conditions conditions = filter.conditions();
    return database
        .jdbi()
        .withHandle(
            handle ->
                conditions
                    .bindTo(handle.createQuery("explain " + AuditQueries.sql(conditions)))
                    .bind("most", 100)
                    .mapTo(String.class)
                    .list())
        .stream()
        .collect(Collectors.joining("\n"));
  }

  @Test
  void actsOfOperatorsAreFoundTheNewestFirst(@TempDir Path folder) {
    try (Database other = databases.migrated(folder).open()) {
      Changes changes = new Changes(other, TimeSource.system());
      for (int i = 0; i < 25; i++) {
        String subject = "rule:r" + i % 3;
        String after = "{\"n\": %d}".formatted(i);
        changes.make(
            i % 2 == 0 ? "alice" : "bob",
            (handle, acts) -> {
              acts.record("rule.update", subject, null, after);
              return after;
            });
      }
      AdminAuditQueries here = new AdminAuditQueries(other);
      AdminAuditQueries.Page first = here.page(null, null, null, 10);
      AdminAuditQueries.Page second = here.page(null, null, first.next(), 10);
      AdminAuditQueries.Page third = here.page(null, null, second.next(), 10);
      assertThat(third.next()).isNull();
      List<@Nullable String> states = new ArrayList<>();
      for (AdminAuditQueries.Page page : List.of(first, second, third)) {
        page.entries().forEach(entry -> states.add(entry.after()));
      }
      assertThat(states)
          .isEqualTo(
              IntStream.rangeClosed(0, 24).mapToObj(i -> "{\"n\": %d}".formatted(24 - i)).toList());
      assertThat(here.page("rule:r1", "bob", null, 1_000).entries())
          .hasSize(4)
          .allSatisfy(
              entry -> {
                assertThat(entry.subject()).isEqualTo("rule:r1");
                assertThat(entry.actor()).isEqualTo("bob");
              });
      assertThat(here.page("rule:r0", null, null, 1).toJson())
          .matches(
              "\\{\"items\": \\[\\{\"audit_id\": 25, \"occurred_at\": \"[^\"]+\", \"actor\": \"alice\","
                  + " \"act\": \"rule.update\", \"subject\": \"rule:r0\", \"before\": null,"
                  + " \"after\": \\{\"n\": 24\\}, \"version\": 25\\}\\], \"next\": \"[^\"]+\"\\}");
      assertThatThrownBy(
              () -> here.page(null, null, Objects.requireNonNull(first.next()) + "A", 10))
          .isInstanceOf(InvalidQuery.class)
          .hasMessageStartingWith("cursor must ");
    }
  }
}
