package dev.weir.policy.config;

import dev.weir.policy.Cidr;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Reads the sections that are about the service and not about requests. */
final class SettingsReader {
  private static final int SHORTEST_TOKEN = 16;
  private static final Duration USUAL_DRAIN = Duration.ofSeconds(5);
  private static final Duration LONGEST_DRAIN = Duration.ofMinutes(5);
  private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(1);
  private static final Duration LONGEST_TRAFFIC = Duration.ofHours(24);
  private static final Duration LONGEST_RETENTION = Duration.ofDays(3_660);

  private final Source source;
  private final Section root;

  SettingsReader(Source source, Section root) {
    this.source = source;
    this.root = root;
  }

  ServerSettings server() {
    Section section = root.section("server");
    ServerSettings settings =
        new ServerSettings(
            section.parsed(
                "listen",
                section.string("listen", "127.0.0.1:8080"),
                SettingsReader::listen,
                "127.0.0.1:8080"),
            section.secret("admin_token", ""),
            section.secret("read_token", ""),
            section.secret("check_token", ""),
            section.secret("metrics_token", ""),
            section.string("region", "local"),
            section.string("id", ""),
            section.parsed("data", section.string("data", "data"), SettingsReader::folder, "data"),
            drain(section));
    requireTwoTokens(section, settings);
    warnOfShort(section, "admin_token", settings.adminToken());
    warnOfShort(section, "read_token", settings.readToken());
    warnOfShort(section, "check_token", settings.checkToken());
    warnOfShort(section, "metrics_token", settings.metricsToken());
    section.finish();
    return settings;
  }

  private static Duration drain(Section section) {
    Duration drain = section.duration("drain", USUAL_DRAIN);
    if (drain.compareTo(LONGEST_DRAIN) > 0) {
      section.report("drain", "must be at most 5m, got " + drain.toSeconds() + "s");
    }
    return drain;
  }

  private static void warnOfShort(Section section, String key, String token) {
    if (!token.isEmpty() && token.length() < SHORTEST_TOKEN) {
      section.warn(
          key,
          "has %d characters and can be guessed; use at least %d random ones"
              .formatted(token.length(), SHORTEST_TOKEN));
    }
  }

  /** Who may only look must be told from who may do everything. */
  private static void requireTwoTokens(Section section, ServerSettings settings) {
    String read = settings.readToken();
    if (!read.isEmpty() && settings.adminToken().isEmpty()) {
      section.report(
          "read_token", "needs server.admin_token: without that, who can look can change all");
    } else if (!read.isEmpty() && read.equals(settings.adminToken())) {
      section.report("read_token", "must be another than server.admin_token");
    }
  }

  private static String folder(String text) {
    if (text.isBlank() || text.indexOf(';') >= 0) {
      throw new IllegalArgumentException(
          "must be the path of a folder without ; in it, got " + Values.shown(text));
    }
    return text;
  }

  private static String listen(String text) {
    int colon = text.lastIndexOf(':');
    String port = text.substring(colon + 1);
    boolean isPort = port.matches("[0-9]{1,5}") && Integer.parseInt(port) <= 65_535;
    boolean isHost =
        colon > 0 && text.substring(0, colon).matches("[A-Za-z0-9.-]+|\\[[0-9a-fA-F:.]+]");
    if (!isPort || !isHost) {
      throw new IllegalArgumentException(
          "must be host:port, for example 127.0.0.1:8080, got \"" + text + "\"");
    }
    return text;
  }

  /** The caller reads the other keys of the section, and finishes it. */
  static CounterSettings counters(Section section) {
    return new CounterSettings(
        section.choice("backend", CounterSettings.Backend.MEMORY, CounterSettings.Backend.values()),
        section.integer("max_keys", 1_000_000, 1, 100_000_000));
  }

  RedisSettings redis() {
    Section section = root.section("redis");
    RedisSettings.Topology topology =
        section.choice("topology", RedisSettings.Topology.SINGLE, RedisSettings.Topology.values());
    RedisSettings settings =
        new RedisSettings(
            section.parsed(
                "url",
                section.secret("url", "redis://localhost:6379/1"),
                SettingsReader::redisUrl,
                "redis://localhost:6379/1"),
            topology,
            section.parsedStrings("nodes", List.of(), SettingsReader::node),
            section.string("master", ""),
            timeout(section, "command_timeout", Duration.ofMillis(25)),
            timeout(section, "connect_timeout", Duration.ofSeconds(2)),
            section.string("key_prefix", "ratelimit"));
    requireMembers(section, settings);
    section.finish();
    return settings;
  }

  private static void requireMembers(Section section, RedisSettings settings) {
    boolean hasNone = section.strings("nodes", List.of()).isEmpty();
    if (settings.topology() != RedisSettings.Topology.SINGLE && hasNone) {
      section.report(
          "nodes",
          "must have at least one element for topology "
              + settings.topology()
              + ", for example [\"10.0.0.1:6379\"]");
    }
    if (settings.topology() == RedisSettings.Topology.SENTINEL && settings.master().isEmpty()) {
      section.report("master", "must be given for topology sentinel, for example \"mymaster\"");
    }
  }

  private static String redisUrl(String text) {
    if (!text.matches("rediss?://[^/\\s]+(/[0-9]{1,5})?")) {
      // The URL may hold a password, so it is not repeated.
      throw new IllegalArgumentException(
          "must be redis://host:port/database or rediss://…, for example redis://localhost:6379/1");
    }
    return text;
  }

  private static String node(String text) {
    return listen(text);
  }

  private static Duration timeout(Section section, String key, Duration standard) {
    Duration timeout = section.duration(key, standard);
    if (timeout.isZero() || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
      section.report(key, "must be between 1ms and 1m, got " + Durations.print(timeout));
      return standard;
    }
    return timeout;
  }

  DatabaseSettings database() {
    Section section = root.section("database");
    DatabaseSettings settings =
        new DatabaseSettings(
            section.parsed("url", section.secret("url", ""), SettingsReader::databaseUrl, ""),
            section.string("user", ""),
            section.secret("password", ""));
    section.finish();
    return settings;
  }

  private static String databaseUrl(String text) {
    if (!text.isEmpty() && !text.startsWith("jdbc:postgresql:") && !text.startsWith("jdbc:h2:")) {
      throw new IllegalArgumentException(
          "must start with jdbc:postgresql: or be empty for the embedded database");
    }
    return text;
  }

  /** The caller reads the other keys of the section, and finishes it. */
  static ClientSettings client(Section section) {
    return new ClientSettings(
        section.parsedStrings("trusted_proxies", List.of("127.0.0.0/8", "::1/128"), Cidr::parse),
        (int) section.integer("trusted_proxy_depth", 1, 0, 50),
        (int) section.integer("ipv6_prefix", 64, 32, 128),
        headerName(section, "api_key_header", "X-API-Key"),
        section.string("user_claim", "user_id"),
        section.string("tier_claim", "tier"),
        checked(section, "jwt_secret", JwtSource::secret),
        checked(section, "jwt_jwks", JwtSource::requireJwks));
  }

  /** A secret that whoever uses it later has to be content with. */
  private static String checked(Section section, String key, Consumer<String> check) {
    String text = section.secret(key, "");
    try {
      check.accept(text);
    } catch (IllegalArgumentException wrong) {
      section.reportConstructor(Mistake.messageOf(wrong));
    }
    return text;
  }

  private static String headerName(Section section, String key, String standard) {
    return section.parsed(key, section.string(key, standard), SettingsReader::fieldName, standard);
  }

  private static String fieldName(String name) {
    if (!HttpToken.isOne(name)) {
      throw new IllegalArgumentException(
          "must be the name of a header field or its start, got \"" + name + "\"");
    }
    return name;
  }

  ResponseSettings response() {
    Section section = root.section("response");
    Set<ResponseSettings.HeaderFamily> families =
        EnumSet.noneOf(ResponseSettings.HeaderFamily.class);
    families.addAll(
        section.parsedStrings(
            "headers",
            List.of("x-ratelimit", "ietf"),
            word -> oneOf(word, ResponseSettings.HeaderFamily.values())));
    ResponseSettings settings =
        new ResponseSettings(
            families,
            headerPrefix(headerName(section, "header_prefix", "X-RateLimit-")),
            section.choice("body", ResponseSettings.Body.JSON, ResponseSettings.Body.values()));
    section.finish();
    return settings;
  }

  private String headerPrefix(String ofFile) {
    String name = Source.variableOf("header_prefix");
    String variable = source.variable(name);
    try {
      return variable == null ? ofFile : fieldName(variable);
    } catch (IllegalArgumentException wrong) {
      source.reportVariable(name, Mistake.messageOf(wrong));
      return ofFile;
    }
  }

  EnvoySettings envoy() {
    Section section = root.section("envoy");
    EnvoySettings settings =
        new EnvoySettings(
            section.string("config", ""),
            section.bool("shadow_mode", false),
            section.bool("quota_mode", false),
            section.bool("response_headers", false),
            headerName(section, "limit_header", "RateLimit-Limit"),
            headerName(section, "remaining_header", "RateLimit-Remaining"),
            headerName(section, "reset_header", "RateLimit-Reset"),
            section.bool("dynamic_metadata", false),
            section.bool("merge_domains", false),
            section.bool("stop_when_over", false),
            section.bool("all_or_nothing", false));
    if (settings.stopWhenOver() && settings.allOrNothing()) {
      section.report(
          "stop_when_over",
          "must be false while all_or_nothing is true, which counts nothing of a refused request");
    }
    section.finish();
    return settings;
  }

  EventSettings events() {
    Section section = root.section("events");
    EventSettings settings =
        new EventSettings(
            types(section, "log", List.of("throttled", "blocked", "backend_error")),
            section.fraction("sample", 1.0),
            section.string("file", ""));
    section.finish();
    return settings;
  }

  AuditSettings audit() {
    Section section = root.section("audit");
    Duration retention = section.duration("retention", Duration.ofDays(90));
    if (retention.compareTo(Duration.ofDays(1)) < 0 || retention.compareTo(LONGEST_RETENTION) > 0) {
      section.report(
          "retention", "must be between 1d and 3660d, got " + Durations.print(retention));
    }
    AuditSettings settings =
        new AuditSettings(
            types(section, "decisions", List.of("throttled", "blocked")),
            retention,
            section.string("archive", ""));
    section.finish();
    return settings;
  }

  TrafficSettings traffic() {
    Section section = root.section("traffic");
    Duration keep = section.duration("keep", Duration.ZERO);
    if (keep.compareTo(LONGEST_TRAFFIC) > 0) {
      section.report("keep", "must be between 0s and 24h, got " + Durations.print(keep));
    }
    TrafficSettings settings =
        new TrafficSettings(
            keep,
            (int) section.integer("max_requests", 200_000, 1, 10_000_000),
            section.fraction("clients", 1.0));
    section.finish();
    return settings;
  }

  private static Set<EventType> types(Section section, String key, List<String> standard) {
    Set<EventType> types = EnumSet.noneOf(EventType.class);
    types.addAll(section.parsedStrings(key, standard, word -> oneOf(word, EventType.values())));
    return types;
  }

  static <E extends Enum<E>> E oneOf(String word, E[] choices) {
    List<String> words = Arrays.stream(choices).map(Object::toString).toList();
    int index = words.indexOf(word);
    if (index < 0) {
      throw new IllegalArgumentException(
          "must be "
              + String.join(" or ", words)
              + ", got \""
              + word
              + "\""
              + Suggestion.of(word, words));
    }
    return choices[index];
  }
}
