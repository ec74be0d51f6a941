package dev.weir.backtest;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Where a line of JSON has what. Names with dots lead into objects.
 *
 * @param names for each field the names that it may have, the one that counts most first
 */
public record FieldMapping(Map<LogField, List<String>> names) {
  /** Nothing is known. */
  public static final FieldMapping NONE = new FieldMapping(Map.of());

  static final FieldMapping WEIR =
      new FieldMapping(
          Map.ofEntries(
              Map.entry(LogField.TIME, List.of("timestamp")),
              Map.entry(LogField.DECISION, List.of("event_type")),
              Map.entry(LogField.PATH, List.of("path")),
              Map.entry(LogField.METHOD, List.of("method")),
              Map.entry(LogField.USER, List.of("user_id")),
              Map.entry(LogField.KEY, List.of("api_key_id")),
              Map.entry(LogField.TIER, List.of("tier")),
              Map.entry(LogField.COST, List.of("cost")),
              Map.entry(LogField.IP, List.of("ip_address")),
              Map.entry(LogField.RULE, List.of("rule")),
              Map.entry(LogField.REASON, List.of("reason"))));

  /** Whose proxies Caddy trusts is Caddy's to know: what it says of the client counts first. */
  static final FieldMapping CADDY =
      new FieldMapping(
          Map.of(
              LogField.TIME, List.of("ts"),
              LogField.PATH, List.of("request.uri"),
              LogField.METHOD, List.of("request.method"),
              LogField.IP, List.of("request.client_ip", "request.remote_ip", "request.remote_addr"),
              LogField.USER, List.of("user_id"),
              LogField.STATUS, List.of("status")));

  static final FieldMapping NGINX =
      new FieldMapping(
          Map.of(
              LogField.TIME,
                  List.of(
                      "msec",
                      "time_iso8601",
                      "time_local",
                      "time",
                      "timestamp",
                      "@timestamp",
                      "ts"),
              LogField.PATH, List.of("request_uri", "uri", "path"),
              LogField.METHOD, List.of("request_method", "method"),
              LogField.REQUEST, List.of("request"),
              LogField.IP, List.of("remote_addr", "remote_ip", "client_ip", "ip"),
              LogField.USER, List.of("remote_user", "user"),
              LogField.STATUS, List.of("status")));

  public FieldMapping {
    names = Map.copyOf(names);
  }

  /**
   * The mapping that a user gives, a name for each field.
   *
   * @throws IllegalArgumentException if there is no such field, or its name is empty
   */
  public static FieldMapping parse(Map<String, String> fields) {
    Map<LogField, List<String>> names = new EnumMap<>(LogField.class);
    fields.forEach(
        (field, name) -> {
          boolean isWrong =
              name.isEmpty() || name.startsWith(".") || name.endsWith(".") || name.contains("..");
          if (isWrong) {
            throw new IllegalArgumentException(
                "%s must be a name such as request.uri, got \"%s\"".formatted(field, name));
          }
          names.put(LogField.parse(field), List.of(name));
        });
    return new FieldMapping(names);
  }

  /** This one, but for the fields that the other one has. */
  FieldMapping with(FieldMapping other) {
    Map<LogField, List<String>> all = new EnumMap<>(LogField.class);
    all.putAll(names);
    all.putAll(other.names);
    if (other.names.containsKey(LogField.PATH)) {
      all.remove(LogField.REQUEST);
    }
    return new FieldMapping(all);
  }

  List<String> of(LogField field) {
    return names.getOrDefault(field, List.of());
  }
}
