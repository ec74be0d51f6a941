package dev.weir.redis;

import static dev.weir.redis.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Counter;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.redis.RedisStoreException.Kind;
import dev.weir.testkit.redis.LoopbackCertificate;
import dev.weir.testkit.redis.RedisConfig;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Passwords, users with few rights, TLS; and that secrets stay secret (T20, T61). */
class RedisSecurityIT {
  private static final String SECRET = "s3cret-w0rd";

  private static final Path GUIDE = Path.of("..", "docs", "guides", "redis.md");
  private static final String ACL = "ACL SETUSER weir on >PASSWORD ";

  /** What a user needs, as the guide says it. */
  static final String RULES = rules();

  /**
   * Those that are not for decisions: to remember refusals, for health, a server that was silent,
   * other databases.
   */
  private static final List<String> BESIDES =
      List.of("publish", "subscribe", "info", "ping", "select");

  private static final int FEW = 500;

  /** So many that they need each right at some time. */
  private static final int MANY = 2_000;

  private static final Operation ONE =
      new Operation.Acquire(List.of(new Counter("n", "k", Limit.perSecond(1000))), 1);

  /** Making one takes a JVM. */
  private static LoopbackCertificate certificate;

  private final LogLines logged = new LogLines("");
  private final Logger all = Logger.getLogger("");
  private final Logger own = Logger.getLogger("dev.weir");
  private @Nullable Level levelBefore;

  @BeforeAll
  static void makeCertificate() {
    certificate = LoopbackCertificate.create();
  }

  @AfterAll
  static void removeCertificate() {
    certificate.close();
  }

  @BeforeEach
  void listen() {
    levelBefore = all.getLevel();
    // Below FINE the client logs what it sends, byte for byte.
    all.setLevel(Level.FINE);
    own.setLevel(Level.ALL);
  }

  @AfterEach
  void noSecretWasLogged() {
    logged.close();
    all.setLevel(levelBefore);
    own.setLevel(null);
    assertThat(logged.lines()).isNotEmpty().noneMatch(line -> line.contains(SECRET));
  }

  private static String rules() {
    try (Stream<String> lines = Files.lines(GUIDE)) {
      return lines
          .filter(line -> line.startsWith(ACL))
          .map(line -> line.substring(ACL.length()))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RedisCounterStore open(String uri, RedisOptions options) {
    return RedisCounterStore.open(
        uri,
        options
            .withCommandTimeout(Duration.ofSeconds(30))
            .withConnectTimeout(Duration.ofSeconds(30)));
  }

  private static RedisCounterStore open(String uri) {
    return open(uri, RedisOptions.defaults());
  }

  private static void assertWorks(RedisCounterStore store) throws Exception {
    await().until(store::isReachable);
    assertThat(store.apply(ONE).toCompletableFuture().get(60, TimeUnit.SECONDS).allowed()).isTrue();
  }

  private static String uri(RedisServer server, String credentials, String path) {
    return "redis://%s@%s:%d%s".formatted(credentials, server.host(), server.port(), path);
  }

  /** What a reader of the failure can see, in messages and causes. */
  private static String shown(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  @Test
  void takesThePasswordFromTheUri() throws Exception {
    try (RedisServer server = RedisServer.start(RedisConfig.plain().withPassword(SECRET));
        RedisCounterStore store = open(server.uri())) {
      assertWorks(store);
    }
  }

  @Test
  void takesTheDatabaseFromTheUri() throws Exception {
    try (RedisServer server = RedisServer.start(RedisConfig.plain().withPassword(SECRET));
        RedisCounterStore store = open(server.uri() + "/3");
        RespClient admin = server.client()) {
      assertWorks(store);

      assertThat(admin.number("DBSIZE")).isZero();
      admin.call("SELECT", "3");
      assertThat(admin.call("EXISTS", "ratelimit:{k}:n")).isEqualTo(1L);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {":" + SECRET, "nobody:" + SECRET})
  void saysThatThePasswordIsWrongAndNotWhatItWas(String credentials) throws Exception {
    try (RedisServer server = RedisServer.start(RedisConfig.plain().withPassword("another"));
        RedisCounterStore store = open(uri(server, credentials, ""))) {
      await()
          .untilAsserted(
              () -> assertThat(Failures.of(store, ONE).kind()).isEqualTo(Kind.CONFIGURATION));
      RedisStoreException failure = Failures.of(store, ONE);

      assertThat(failure).hasMessageStartingWith("Redis at 127.0.0.1:%d: WRONGPASS", server.port());
      assertThat(shown(failure)).doesNotContain(SECRET, "another");
      assertThat(logged.lines()).anyMatch(line -> line.contains("WRONGPASS"));
    }
  }

  @Test
  void saysThatThePasswordIsMissing() throws Exception {
    try (RedisServer server = RedisServer.start(RedisConfig.plain().withPassword(SECRET));
        RedisCounterStore store = open("redis://%s:%d".formatted(server.host(), server.port()))) {
      await()
          .untilAsserted(
              () -> assertThat(Failures.of(store, ONE).kind()).isEqualTo(Kind.CONFIGURATION));

      assertThat(Failures.of(store, ONE))
          .hasMessageStartingWith("Redis at 127.0.0.1:%d: NOAUTH", server.port());
    }
  }

  @Test
  void doesNotShowAUriThatCannotBeRead() {
    Logger.getLogger("dev.weir.test").info("so that there is a line");
    assertThatThrownBy(() -> open("redis://:" + SECRET + " {@localhost"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("uri must be such as redis://user:password@localhost:6379/0")
        .satisfies(failure -> assertThat(shown(failure)).doesNotContain(SECRET));
    assertThatThrownBy(() -> open("http://:" + SECRET + "@localhost"))
        .isInstanceOf(IllegalArgumentException.class)
        .satisfies(failure -> assertThat(shown(failure)).doesNotContain(SECRET));
  }

  @Test
  @DisplayName("a user with the least rights is enough for all that the store does (T61)")
  void needsFewRights() throws Exception {
    RedisConfig config = RedisConfig.plain().withUser("weir", "on >" + SECRET + " " + RULES);
    try (RedisServer server = RedisServer.start(config);
        RedisCounterStore store = open(uri(server, "weir:" + SECRET, "/1"));
        RespClient admin = server.client()) {
      await().until(store::isReachable);
      runAll(store, FEW);
      await().until(() -> store.health().servers().get(0).version().isPresent());

      assertThat(store.health().servers().get(0).warnings())
          .noneMatch(warning -> warning.contains("refused"));
      assertThat(admin.list("ACL", "LOG")).isEmpty();
      assertThat(admin.text("CLIENT", "LIST")).contains(" name=weir ");
    }
  }

  @Test
  @DisplayName("each right of that user is needed (T61)")
  void needsEachRight() throws Exception {
    RedisConfig config = RedisConfig.plain().withUser("weir", "on >" + SECRET + " " + RULES);
    try (RedisServer server = RedisServer.start(config);
        RedisCounterStore store = open(uri(server, "weir:" + SECRET, ""));
        RespClient admin = server.client()) {
      await().until(store::isReachable);
      List<String> commands =
          Arrays.stream(RULES.split(" "))
              .filter(rule -> rule.startsWith("+"))
              .map(rule -> rule.substring(1))
              .filter(rule -> !BESIDES.contains(rule))
              .toList();
      assertThat(commands).hasSize(11);
      for (String command : commands) {
        admin.call("FLUSHALL");
        admin.call("SCRIPT", "FLUSH");
        admin.call("ACL", "SETUSER", "weir", "-" + command);
        assertThatThrownBy(() -> runAll(store, MANY))
            .as(command)
            .isInstanceOf(ExecutionException.class)
            .cause()
            .isInstanceOfSatisfying(
                RedisStoreException.class,
                failure -> assertThat(failure.kind()).isEqualTo(Kind.CONFIGURATION));
        admin.call("ACL", "SETUSER", "weir", "+" + command);
      }
      admin.call("FLUSHALL");
      runAll(store, FEW);
    }
  }

  @Test
  @DisplayName("without the right to INFO there is one warning, and all else works (T61)")
  void worksWithoutInfo() throws Exception {
    String fewer = RULES.replace(" +info", "");
    RedisConfig config = RedisConfig.plain().withUser("weir", "on >" + SECRET + " " + fewer);
    try (RedisServer server = RedisServer.start(config);
        RedisCounterStore store = open(uri(server, "weir:" + SECRET, ""));
        RespClient admin = server.client()) {
      assertThat(fewer).isNotEqualTo(RULES);
      await().until(() -> !store.health().servers().get(0).warnings().isEmpty());
      runAll(store, FEW);
      admin.call("FLUSHALL");
      await().until(() -> store.health().servers().get(0).losses() == 1);

      assertThat(store.health().servers().get(0).warnings())
          .singleElement()
          .asString()
          .startsWith("INFO is refused, so that its settings and evictions stay unknown: NOPERM");
      assertThat(logged.count("INFO is refused")).isEqualTo(1);
      assertThat(logged.count("were wiped")).isEqualTo(1);
    }
  }

  @Test
  void staysWithinItsPrefix() throws Exception {
    String anyChannel = RULES.replace("&ratelimit!room", "&*");
    RedisConfig config = RedisConfig.plain().withUser("weir", "on >" + SECRET + " " + anyChannel);
    try (RedisServer server = RedisServer.start(config);
        RedisCounterStore store =
            open(
                uri(server, "weir:" + SECRET, ""),
                RedisOptions.defaults().withKeyPrefix("other"))) {
      await().until(store::isReachable);
      RedisStoreException failure = Failures.of(store, ONE);

      assertThat(failure.kind()).isEqualTo(Kind.CONFIGURATION);
      assertThat(failure).hasMessageContaining("NOPERM");
      await()
          .untilAsserted(
              () ->
                  assertThat(store.health().servers().get(0).warnings())
                      .anyMatch(warning -> warning.startsWith("the marker is refused, ")));
    }
  }

  @Test
  void saysThatItMayNotTellWhichCountersHaveRoom() throws Exception {
    String noChannel = RULES.replace("&ratelimit!room", "resetchannels");
    RedisConfig config = RedisConfig.plain().withUser("weir", "on >" + SECRET + " " + noChannel);
    try (RedisServer server = RedisServer.start(config);
        RedisCounterStore store = open(uri(server, "weir:" + SECRET, ""))) {
      RedisStoreException failure = Failures.of(store, ONE);

      assertThat(failure.kind()).isEqualTo(Kind.CONFIGURATION);
      assertThat(failure).hasMessageContaining("can't publish to the channel");
    }
  }

  private static void runAll(RedisCounterStore store, int operations)
      throws InterruptedException, ExecutionException, TimeoutException {
    Workload workload = new Workload(1, 3, Duration.ofDays(30));
    for (int i = 0; i < operations; i++) {
      store.apply(workload.next()).toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void speaksTls() throws Exception {
    try (RedisServer server =
            RedisServer.start(
                RedisConfig.plain()
                    .withPassword(SECRET)
                    .withTls(certificate)
                    .with("tls-protocols \"TLSv1.2 TLSv1.3\""));
        RedisCounterStore store =
            open(
                server.tlsUri(),
                RedisOptions.defaults()
                    .withTrustStore(
                        new TrustStore(certificate.keyStore(), certificate.keyStorePassword())))) {
      assertWorks(store);
    }
  }

  @Test
  void refusesACertificateThatIsNotTrusted() throws Exception {
    try (RedisServer server =
            RedisServer.start(RedisConfig.plain().withPassword(SECRET).withTls(certificate));
        RedisCounterStore store = open(server.tlsUri())) {
      await()
          .untilAsserted(
              () -> assertThat(Failures.of(store, ONE).kind()).isEqualTo(Kind.UNREACHABLE));

      assertThat(Failures.of(store, ONE)).hasMessageContaining("certification path");
    }
  }

  @Test
  void refusesATrustStoreThatCannotBeRead() {
    Logger.getLogger("dev.weir.test").info("so that there is a line");
    TrustStore wrong = new TrustStore(certificate.keyStore(), SECRET);
    TrustStore missing = new TrustStore(Path.of("/does/not/exist.p12"), SECRET);

    assertThat(wrong.toString()).doesNotContain(SECRET);
    assertThatThrownBy(
            () -> open("rediss://localhost", RedisOptions.defaults().withTrustStore(wrong)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "trustStore must be a PKCS 12 or JKS file, and its password right, got "
                + certificate.keyStore())
        .satisfies(failure -> assertThat(shown(failure)).doesNotContain(SECRET));
    assertThatThrownBy(
            () -> open("rediss://localhost", RedisOptions.defaults().withTrustStore(missing)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("/does/not/exist.p12");
  }
}
