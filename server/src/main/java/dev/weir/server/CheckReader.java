package dev.weir.server;

import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.Headers;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.Request;
import dev.weir.policy.config.ClientSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the description of a request, as {@code /v1/check} takes it. The caller is trusted about
 * everything but API keys: it names one by its id, or passes the key on to be verified.
 */
final class CheckReader {
  private static final int MOST_HEADERS = 100;

  private final JsonBody body;
  private final ClientSettings settings;
  private String method = "GET";
  private @Nullable String path;
  private @Nullable String endpoint;
  private @Nullable String ip;
  private @Nullable String user;
  private @Nullable String tier;
  private @Nullable String key;
  private @Nullable String apiKey;
  private @Nullable Client client;
  private long cost = 1;
  private boolean isDryRun;
  private Headers headers = Headers.none();

  private CheckReader(JsonBody body, ClientSettings settings) {
    this.body = body;
    this.settings = settings;
  }

  /**
   * A request to decide.
   *
   * @param request the request, without what is known of its client
   * @param key the API key to verify; null: none was given
   * @param isDryRun whether nothing is to be consumed
   */
  record Check(Request request, @Nullable PresentedKey key, boolean isDryRun) {}

  /**
   * Permits to give back.
   *
   * @param client to whom
   * @param key the client's API key, to verify; null: none was given
   * @param cost how many
   * @param endpoint where they were used; null if there is a request
   * @param request what they were used by; null if only the endpoint is known
   */
  record Refund(
      Client client,
      @Nullable PresentedKey key,
      long cost,
      @Nullable String endpoint,
      @Nullable Request request) {}

  static Check check(byte[] bytes, ClientSettings settings) {
    try (JsonBody body = new JsonBody(bytes)) {
      CheckReader reader = new CheckReader(body, settings);
      body.object(reader::member);
      return reader.check();
    }
  }

  /** Reads several; if one is wrong, none is good. */
  static List<Check> checks(byte[] bytes, ClientSettings settings, int most) {
    List<Check> checks = new ArrayList<>();
    try (JsonBody body = new JsonBody(bytes)) {
      body.objects(
          most,
          () -> {
            CheckReader reader = new CheckReader(body, settings);
            body.membersOf(reader::member);
            checks.add(reader.check());
          });
    }
    return checks;
  }

  static Refund refund(byte[] bytes, ClientSettings settings) {
    try (JsonBody body = new JsonBody(bytes)) {
      CheckReader reader = new CheckReader(body, settings);
      body.object(name -> reader.refundMember(name) || reader.member(name));
      return reader.refund();
    }
  }

  private boolean refundMember(String name) {
    switch (name) {
      case "client" -> client = Client.parse(body.stringOrKey(name), settings.ipv6Prefix());
      case "endpoint" -> endpoint = body.string(name);
      case "cost" -> cost = body.permits(name, 1);
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean member(String name) {
    switch (name) {
      case "method" -> method = body.string(name);
      case "path" -> path = body.stringOrKey(name);
      case "ip" -> ip = body.string(name);
      case "user" -> user = body.stringOrKey(name);
      case "tier" -> tier = body.stringOrKey(name);
      case "key" -> key = body.stringOrKey(name);
      case "api_key" -> apiKey = body.stringOrKey(name);
      case "cost" -> cost = body.permits(name, 0);
      case "headers" -> headers = headers();
      case "dry_run" -> isDryRun = body.bool(name);
      default -> {
        return false;
      }
    }
    return true;
  }

  private Headers headers() {
    Map<String, List<String>> byName = new TreeMap<>();
    body.membersOf(
        name -> {
          if (byName.size() == MOST_HEADERS) {
            throw body.wrong("headers", "must have at most " + MOST_HEADERS + " members");
          }
          byName
              .computeIfAbsent(name.toLowerCase(Locale.ROOT), any -> new ArrayList<>())
              .addAll(values("headers." + name));
          return true;
        });
    return name -> byName.getOrDefault(name, List.of());
  }

  private List<String> values(String name) {
    if (!body.isArray()) {
      return List.of(body.stringOrKey(name));
    }
    List<String> values = new ArrayList<>();
    while (body.hasElement()) {
      values.add(body.stringOrKey(name));
    }
    return values;
  }

  private Check check() {
    if (path == null) {
      throw body.wrong("path", "must be given, for example \"/api/v1/chat\"");
    }
    return new Check(request(path), presentedKey(), isDryRun);
  }

  private Refund refund() {
    boolean isByPath = path != null;
    if (isByPath == (endpoint != null)) {
      throw body.wrong("endpoint", "must be given, or else the path");
    }
    Client known = client();
    PresentedKey presented = presentedKey();
    if (known.isUnknown() && presented == null) {
      throw body.wrong("client", "must be given, as user:<id>, key:<id> or ip:<address>");
    }
    return new Refund(known, presented, cost, endpoint, path == null ? null : request(path));
  }

  /** The key in {@code api_key} or in the header that the settings name; both must be one key. */
  private @Nullable PresentedKey presentedKey() {
    String header = "headers." + settings.apiKeyHeader();
    List<String> values = headers.values(settings.apiKeyHeader().toLowerCase(Locale.ROOT));
    if (values.size() > 1) {
      throw body.wrong(header, "must be given once");
    }
    if (values.isEmpty()) {
      return apiKey == null ? null : new PresentedKey(body.fullName("api_key"), apiKey, true);
    }
    if (apiKey != null && !apiKey.equals(values.get(0))) {
      throw body.wrong(header, "must be the same key as in api_key");
    }
    return new PresentedKey(body.fullName(header), values.get(0), apiKey != null);
  }

  private Request request(String target) {
    try {
      return new Request(method, target, client(), cost, headers);
    } catch (MalformedRequestException wrong) {
      throw body.wrong(wrong.field(), problem(wrong));
    }
  }

  /** The message without the field, which stands first in it. */
  private static String problem(MalformedRequestException wrong) {
    return String.valueOf(wrong.getMessage()).substring(wrong.field().length() + 1);
  }

  private Client client() {
    Client known = client == null ? at(ip) : client;
    known = user == null ? known : known.withUser(user);
    known = key == null ? known : known.withKey(key);
    return tier == null ? known : known.withTier(tier);
  }

  private Client at(@Nullable String text) {
    if (text == null) {
      return Client.unknown();
    }
    Address address = Address.parseOrNull(text);
    if (address == null) {
      throw body.wrong("ip", "must be an IPv4 or IPv6 address, got \"" + shortened(text) + "\"");
    }
    return Client.at(address, settings.ipv6Prefix());
  }

  private static String shortened(String text) {
    return text.length() <= 64 ? text : text.substring(0, 64) + "…";
  }
}
