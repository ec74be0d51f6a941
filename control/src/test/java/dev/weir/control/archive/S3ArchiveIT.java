package dev.weir.control.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.control.database.Database;
import dev.weir.control.database.MonthlyTable;
import dev.weir.control.testing.Databases;
import dev.weir.policy.config.AuditSettings;
import dev.weir.testkit.s3.S3Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.s3.S3Client;

/** An archive on S3: on a real server, in a process of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class S3ArchiveIT {
  private static final Logger ARCHIVE = Logger.getLogger("dev.weir.control.archive");

  @TempDir Path folder = Path.of("");
  private final S3Server server = S3Server.start();
  private final Map<String, @Nullable String> before = new HashMap<>();
  private final ManualTime time = TimeSource.manual(ArchiveFixture.NOW);
  private int buckets;
  private Path bucket = Path.of("");
  private volatile AuditSettings settings = ArchiveFixture.settings("");

  @BeforeAll
  void onlyWhatMatters() {
    ARCHIVE.setLevel(Level.SEVERE);
  }

  @AfterAll
  void stop() {
    ARCHIVE.setLevel(null);
    server.close();
  }

  @BeforeEach
  void useTheServer() {
    time.set(ArchiveFixture.NOW);
    set("aws.endpointUrlS3", server.endpoint().toString());
    set("aws.region", server.region());
    set("aws.accessKeyId", server.accessKey());
    set("aws.secretAccessKey", server.secretKey());
    // Neither files of whoever runs the test nor the role of a machine in the cloud.
    set("aws.configFile", folder.resolve("none").toString());
    set("aws.sharedCredentialsFile", folder.resolve("none").toString());
    set("aws.disableEc2Metadata", "true");
    String name = "bucket-" + ++buckets;
    bucket = server.createBucket(name);
    settings = ArchiveFixture.settings("s3://" + name + "/weir/cold/");
  }

  @AfterEach
  void forgetTheServer() {
    List.copyOf(before.keySet()).forEach(name -> set(name, before.get(name)));
    before.clear();
  }

  private void set(String name, @Nullable String value) {
    String old = value == null ? System.clearProperty(name) : System.setProperty(name, value);
    before.putIfAbsent(name, old);
  }

  private Database open() {
    return Databases.h2().migrated(folder).open();
  }

  private Archive archive(Database database) {
    return new Archive(database, () -> settings, time);
  }

  private Path stored(MonthlyTable table, int part) {
    return bucket
        .resolve("weir/cold")
        .resolve(new ArchiveFile(table, ArchiveFixture.JANUARY, part).name());
  }

  private void assertArchived(List<ArchiveRow> audit, List<ArchiveRow> metrics) throws Exception {
    try (DuckDb duck = new DuckDb(bucket.resolve("weir/cold").toString())) {
      assertThat(duck.rows(MonthlyTable.AUDIT_LOGS)).isEqualTo(audit).isNotEmpty();
      assertThat(duck.rows(MonthlyTable.METRICS)).isEqualTo(metrics).isNotEmpty();
    }
  }

  @Test
  void monthsGoIntoObjectsAndOldOnesAreDeletedWhenAskedFor() throws Exception {
    try (Database database = open()) {
      SampleRows sample = new SampleRows(database, 1);
      sample.insert(ArchiveFixture.JANUARY, 2_000);
      List<ArchiveRow> audit = SampleRows.in(database, MonthlyTable.AUDIT_LOGS);
      List<ArchiveRow> metrics = SampleRows.in(database, MonthlyTable.METRICS);
      Archive archive = archive(database);
      ArchiveReport report = archive.run().orElseThrow();
      assertThat(report.failures()).isEmpty();
      String place = "s3://" + bucket.getFileName() + "/weir/cold/";
      assertThat(report.files())
          .containsExactly(
              place
                  + "rate_limit_audit_logs/year=2020/month=01/rate_limit_audit_logs-2020-01-0001.parquet",
              place
                  + "rate_limit_metrics/year=2020/month=01/rate_limit_metrics-2020-01-0001.parquet");
      assertArchived(audit, metrics);
      assertThat(SampleRows.in(database, MonthlyTable.AUDIT_LOGS)).isEmpty();

      sample.insert(MonthlyTable.METRICS, ArchiveFixture.JANUARY, 5);
      assertThat(archive.run().orElseThrow().rows()).isEqualTo(5);
      assertThat(stored(MonthlyTable.METRICS, 2)).exists();

      time.set(Instant.parse("2030-01-01T00:00:00Z"));
      assertThat(archive.deleteOlderThan(Archive.COLD_RETENTION).orElseThrow())
          .hasSize(3)
          .containsAll(report.files());
      assertThat(stored(MonthlyTable.METRICS, 1)).doesNotExist();
      assertThat(archive.list()).extracting(ArchiveJob::state).containsOnly(ArchiveState.DELETED);
    }
  }

  @Test
  void aLargeObjectGoesInPartsAndTakesTheRoomOfUploadsThatNobodyFinished() throws Exception {
    int partBytes = 5 << 20;
    try (Database database = open();
        S3Client client = client()) {
      insertWhatCannotBeCompressed(database, 2_300);
      List<ArchiveRow> audit = SampleRows.in(database, MonthlyTable.AUDIT_LOGS);
      new SampleRows(database, 2).insert(MonthlyTable.METRICS, ArchiveFixture.JANUARY, 10);
      List<ArchiveRow> metrics = SampleRows.in(database, MonthlyTable.METRICS);
      String name = bucket.getFileName().toString();
      String key = keyOfFirstPart();
      client.createMultipartUpload(request -> request.bucket(name).key(key));
      assertThat(client.listMultipartUploads(request -> request.bucket(name)).uploads()).hasSize(1);

      stepUpTo(ArchiveState.DROPPED, database, S3Place.of(settings.archive(), partBytes));

      assertInParts(client);
      assertThat(Files.size(stored(MonthlyTable.AUDIT_LOGS, 1))).isGreaterThan(partBytes);
      assertThat(archive(database).run().orElseThrow().failures()).isEmpty();
      assertArchived(audit, metrics);
    }
  }

  @Test
  @Tag("long")
  void aLargeObjectGoesInPartsOfTheDefaultSize() throws Exception {
    try (Database database = open();
        S3Client client = client()) {
      insertWhatCannotBeCompressed(database, 9_000);
      new SampleRows(database, 2).insert(ArchiveFixture.JANUARY, 10);
      List<ArchiveRow> audit = SampleRows.in(database, MonthlyTable.AUDIT_LOGS);
      List<ArchiveRow> metrics = SampleRows.in(database, MonthlyTable.METRICS);
      String name = bucket.getFileName().toString();
      String key = keyOfFirstPart();
      client.createMultipartUpload(request -> request.bucket(name).key(key));

      assertThat(archive(database).run().orElseThrow().failures()).isEmpty();

      assertInParts(client);
      assertThat(Files.size(stored(MonthlyTable.AUDIT_LOGS, 1))).isGreaterThan(17 << 20);
      assertArchived(audit, metrics);
    }
  }

  private static S3Client client() {
    return S3Client.builder()
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .forcePathStyle(true)
        .build();
  }

  private static String keyOfFirstPart() {
    return "weir/cold/"
        + new ArchiveFile(MonthlyTable.AUDIT_LOGS, ArchiveFixture.JANUARY, 1).name();
  }

  /** The file of decisions was sent in several parts, and no upload is left unfinished. */
  private void assertInParts(S3Client client) {
    String name = bucket.getFileName().toString();
    String key = keyOfFirstPart();
    assertThat(client.listMultipartUploads(request -> request.bucket(name)).uploads()).isEmpty();
    String tag = client.headObject(request -> request.bucket(name).key(key)).eTag();
    assertThat(tag).matches("\"[0-9a-f]{32}-[2-9]\"");
  }

  private static void insertWhatCannotBeCompressed(Database database, int rows) {
    Random random = new Random(3);
    byte[] bytes = new byte[3_000];
    database
        .jdbiForLongWork()
        .useTransaction(
            handle -> {
              PreparedBatch batch =
                  handle.prepareBatch(
                      """
                      insert into rate_limit_audit_logs (timestamp, decision, path)
                      values (:time, 'blocked', :path)
                      """);
              for (int i = 0; i < rows; i++) {
                random.nextBytes(bytes);
                batch
                    .bind("time", Instant.parse("2020-01-05T00:00:00Z").plusSeconds(i))
                    .bind("path", Base64.getEncoder().encodeToString(bytes))
                    .add();
              }
              batch.execute();
            });
  }

  @Test
  void aDamagedObjectIsNoticedAndNothingIsDropped() throws Exception {
    try (Database database = open()) {
      new SampleRows(database, 4).insert(MonthlyTable.AUDIT_LOGS, ArchiveFixture.JANUARY, 500);
      new SampleRows(database, 4).insert(MonthlyTable.METRICS, ArchiveFixture.JANUARY, 5);
      List<ArchiveRow> audit = SampleRows.in(database, MonthlyTable.AUDIT_LOGS);
      List<ArchiveRow> metrics = SampleRows.in(database, MonthlyTable.METRICS);
      Archive archive = archive(database);
      stepUpTo(ArchiveState.WRITTEN, database, Place.of(settings.archive()));
      damage(stored(MonthlyTable.AUDIT_LOGS, 1));
      assertThat(archive.run().orElseThrow().failures())
          .singleElement()
          .satisfies(
              failure ->
                  assertThat(failure.message())
                      .contains(
                          "s3://" + bucket.getFileName(), "is damaged", "nothing was dropped"));
      assertThat(archive.run().orElseThrow().failures()).isEmpty();
      assertArchived(audit, metrics);
    }
  }

  /** Takes the decisions of January to that state. */
  private static void stepUpTo(ArchiveState state, Database database, Place target)
      throws IOException {
    Jobs jobs = new Jobs(database);
    try (ArchiveLock lock = ArchiveLock.tryTake(database).orElseThrow();
        Place place = target) {
      MonthWork work = new MonthWork(database, jobs, Optional.of(place), lock, new Stop());
      ArchiveJob job = jobs.create(MonthlyTable.AUDIT_LOGS, ArchiveFixture.JANUARY);
      while (job.state() != state) {
        job = work.step(job);
      }
    }
  }

  private static void damage(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 3] ^= 8;
    Files.write(file, bytes);
  }

  @Test
  void whatIsWrongWithTheServerIsSaidInOneLineAndTheMonthStays() throws Exception {
    try (Database database = open()) {
      new SampleRows(database, 5).insert(ArchiveFixture.JANUARY, 10);
      Archive archive = archive(database);
      String good = settings.archive();

      settings = ArchiveFixture.settings("s3://no-such-bucket/weir");
      assertRefused(
          archive, "audit.archive: cannot use s3://no-such-bucket/weir: there is no such bucket");
      settings = ArchiveFixture.settings(good);
      String place = "s3://" + bucket.getFileName() + "/weir/cold";
      set("aws.secretAccessKey", "wrong");
      assertRefused(
          archive,
          "audit.archive: cannot use %s: S3 refuses the credentials, or what they are used for (403)"
              .formatted(place));
      set("aws.accessKeyId", null);
      set("aws.secretAccessKey", null);
      assertRefused(
          archive,
          "audit.archive: cannot use %s: no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"
              .formatted(place));
      set("aws.region", null);
      assertRefused(
          archive, "audit.archive: cannot use %s/: no region; set AWS_REGION".formatted(place));

      set("aws.region", server.region());
      set("aws.accessKeyId", server.accessKey());
      set("aws.secretAccessKey", server.secretKey());
      set("aws.endpointUrlS3", "http://127.0.0.1:1");
      assertThatThrownBy(archive::run)
          .isInstanceOf(ArchiveException.class)
          .hasMessageStartingWith("audit.archive: cannot use " + place + ": ")
          .hasMessageContaining("refused")
          .message()
          .doesNotContain("\n");
      assertThat(archive.list()).isEmpty();
      assertThat(SampleRows.in(database, MonthlyTable.AUDIT_LOGS)).hasSize(10);
      set("aws.endpointUrlS3", server.endpoint().toString());
      assertThat(archive.run().orElseThrow().rows()).isEqualTo(20);
    }
  }

  private static void assertRefused(Archive archive, String message) {
    assertThatThrownBy(archive::run).isInstanceOf(ArchiveException.class).hasMessage(message);
  }
}
