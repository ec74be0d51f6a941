package dev.weir.bench;

import dev.weir.control.database.Database;
import dev.weir.http.HttpRequest;
import dev.weir.policy.Headers;
import dev.weir.policy.config.DatabaseSettings;
import dev.weir.testkit.postgres.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * Keys and users by number, so that several processes know the same ones: the database is filled by
 * one, and asked by others. Each key has an owner of its own, in a tier; other users have a monthly
 * quota.
 */
final class ManyClients {
  static final int COUNT = 100_000;

  /** Both tiers have the limit of the endpoint, so they differ by name only. */
  static final String TOML =
      """
      default_tier = "free"

      [[tier]]
      name = "free"
      limit = "1000000000/m"

      [[tier]]
      name = "pro"
      limit = "1000000000/m"

      [[endpoint]]
      name = "chat"
      paths = "/api/v1/chat/**"
      limit = "1000000/m"
      """;

  private static final String URL = "weir.bench.database.url";
  private static final String USER = "weir.bench.database.user";
  private static final String PASSWORD = "weir.bench.database.password";

  private static final String PATH = "/api/v1/chat/completions";

  private ManyClients() {}

  /** A server that waits for its disk, as one that matters does. */
  static PostgresServer server() {
    return PostgresServer.start(
        PostgresServer.Version.V18,
        List.of("fsync = on", "max_wal_size = 4GB", "shared_buffers = 256MB"));
  }

  /** What tells another JVM where the first database of a server is. */
  static List<String> jvmOptions(PostgresServer server) {
    return List.of(
        "-D" + URL + "=" + server.jdbcUrl(),
        "-D" + USER + "=" + server.user(),
        "-D" + PASSWORD + "=" + server.password());
  }

  /** The configuration of a service on the first database of a server. */
  static String toml(PostgresServer server) {
    return TOML
        + """

        [database]
        url = "%s"
        user = "%s"
        password = "%s"
        """
            .formatted(server.jdbcUrl(), server.user(), server.password());
  }

  /** The first database of a server. */
  static Database open(PostgresServer server) {
    return open(new DatabaseSettings(server.jdbcUrl(), server.user(), server.password()));
  }

  /** The database that this JVM was told of. */
  static Database database() {
    return open(
        new DatabaseSettings(
            System.getProperty(URL, ""),
            System.getProperty(USER, ""),
            System.getProperty(PASSWORD, "")));
  }

  private static Database open(DatabaseSettings settings) {
    // Only an embedded database would put anything into the folder.
    return Database.open(settings, Path.of(""));
  }

  /** Fills the first database of a server, which is empty. */
  static void fill(PostgresServer server) {
    try (Database database = open(server)) {
      database.jdbiForLongWork().useTransaction(ManyClients::fill);
    }
  }

  /** Ids and secrets are made of hashes here and there alike. */
  private static void fill(Handle handle) {
    String numbers = "from generate_series(0, %d) n".formatted(COUNT - 1);
    handle.execute(
        "insert into user_quotas (user_id, tier) select 'owner-' || n, 'pro' " + numbers);
    handle.execute(
        "insert into user_quotas (user_id, tier, monthly_quota)"
            + " select 'user-' || n, 'pro', 1000000000000 "
            + numbers);
    handle.execute(
        "insert into api_keys (api_key_id, api_key_hash, user_id)"
            + " select cast(md5('id ' || n) as uuid),"
            + " encode(sha256(cast(md5('secret ' || n) as bytea)), 'hex'), 'owner-' || n "
            + numbers);
    handle.execute("analyze user_quotas");
    handle.execute("analyze api_keys");
  }

  /** The key with that number, as its holder has it; there are those below {@link #COUNT}. */
  static String key(int number) {
    return "wk_%s_%s".formatted(md5("id " + number), md5("secret " + number));
  }

  /** The id of that key. */
  static String keyId(int number) {
    return md5("id " + number);
  }

  /** The user with that number. */
  static String user(int number) {
    return "user-" + number;
  }

  /** What a proxy tells of a request of nobody in particular. */
  static HttpRequest request(int number) {
    return request(number, Map.of());
  }

  /** What a proxy tells of a request with a key. */
  static HttpRequest requestWithKey(int number) {
    return request(number, Map.of("X-API-Key", key(number)));
  }

  private static HttpRequest request(int number, Map<String, String> more) {
    Map<String, String> fields =
        new HashMap<>(Map.of("Host", "api.example", "Accept", "*/*", "User-Agent", "curl/8.5.0"));
    fields.putAll(more);
    return new HttpRequest("POST", PATH, address(number), Headers.of(fields));
  }

  /** The address of the client with that number. */
  static String address(int number) {
    return "10.%d.%d.%d".formatted(number >> 16, number >> 8 & 255, number & 255);
  }

  /** What all of them ask for. */
  static String path() {
    return PATH;
  }

  private static String md5(String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
      return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes));
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }
}
