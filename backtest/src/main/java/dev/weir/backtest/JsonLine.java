package dev.weir.backtest;

import dev.weir.policy.Cause;
import dev.weir.policy.Client;
import dev.weir.policy.Headers;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.Outcome;
import dev.weir.policy.Request;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lines that are objects of JSON, with what a mapping says where. */
final class JsonLine implements LineFormat {
  private static final int MOST_CLIENTS = 1 << 13;

  private final FieldMapping mapping;
  private final JsonFields fields;
  private final LoggedClient loggedClient;
  private final Set<Integer> refusedStatuses;
  private final @Nullable KnownClient[] clients = new @Nullable KnownClient[MOST_CLIENTS];

  /** A client that was met before, with all that it was made of. */
  private record KnownClient(
      @Nullable String ip,
      @Nullable String user,
      @Nullable String key,
      @Nullable String tier,
      Client client) {
    boolean isOf(
        @Nullable String otherIp,
        @Nullable String otherUser,
        @Nullable String otherKey,
        @Nullable String otherTier) {
      return Objects.equals(ip, otherIp)
          && Objects.equals(user, otherUser)
          && Objects.equals(key, otherKey)
          && Objects.equals(tier, otherTier);
    }
  }

  JsonLine(FieldMapping mapping, LoggedClient loggedClient, Set<Integer> refusedStatuses) {
    this.mapping = mapping;
    this.fields = new JsonFields(mapping);
    this.loggedClient = loggedClient;
    this.refusedStatuses = refusedStatuses;
  }

  @Override
  public @Nullable LoggedRequest read(byte[] bytes, int from, int to) throws BadLine {
    fields.read(bytes, from, to);
    String decision = fields.get(LogField.DECISION);
    if (decision == null && mapping.names().containsKey(LogField.DECISION)) {
      throw missing(LogField.DECISION);
    }
    if (decision != null && decision.equals("backend_error")) {
      return null;
    }
    Outcome outcome = decision == null ? outcomeOfStatus() : Recorded.outcome(decision);
    long atMicros = TimeText.read(required(LogField.TIME));
    Cause cause = Recorded.cause(fields.get(LogField.REASON));
    return new LoggedRequest(atMicros, request(), outcome, cause, fields.get(LogField.RULE));
  }

  private String required(LogField field) throws BadLine {
    String value = fields.get(field);
    if (value == null) {
      throw missing(field);
    }
    return value;
  }

  private BadLine missing(LogField field) {
    return mapping.of(field).isEmpty()
        ? new BadLine("no field is known for the %s; name it with --field".formatted(field))
        : new BadLine(
            "must have the %s as %s".formatted(field, String.join(" or ", mapping.of(field))));
  }

  private Request request() throws BadLine {
    Client client =
        client(
            fields.get(LogField.IP),
            fields.get(LogField.USER),
            fields.get(LogField.KEY),
            fields.get(LogField.TIER));
    String path = fields.get(LogField.PATH);
    String method = fields.get(LogField.METHOD);
    String line = fields.get(LogField.REQUEST);
    if (line != null && (path == null || method == null)) {
      int first = line.indexOf(' ');
      int last = line.lastIndexOf(' ');
      if (first <= 0 || first + 1 == line.length()) {
        throw new MalformedRequestException(
            "request",
            "must be a method, a target and a protocol, got \"%s\"".formatted(BadLine.shown(line)));
      }
      method = method == null ? line.substring(0, first) : method;
      path = path == null ? line.substring(first + 1, last > first ? last : line.length()) : path;
    }
    return new Request(
        method == null ? "GET" : method,
        path == null ? required(LogField.PATH) : path,
        client,
        cost(),
        Headers.none());
  }

  private Client client(
      @Nullable String ip, @Nullable String user, @Nullable String key, @Nullable String tier)
      throws BadLine {
    int hash = 31 * (31 * Objects.hashCode(ip) + Objects.hashCode(user)) + Objects.hashCode(key);
    int place = (hash ^ hash >>> 16) & (MOST_CLIENTS - 1);
    KnownClient known = clients[place];
    if (known == null || !known.isOf(ip, user, key, tier)) {
      known = new KnownClient(ip, user, key, tier, loggedClient.of(ip, user, key, tier));
      clients[place] = known;
    }
    return known.client;
  }

  private long cost() throws BadLine {
    String cost = fields.get(LogField.COST);
    return cost == null ? 1 : number(LogField.COST, cost, 18);
  }

  private @Nullable Outcome outcomeOfStatus() throws BadLine {
    String status = refusedStatuses.isEmpty() ? null : fields.get(LogField.STATUS);
    if (status == null) {
      return null;
    }
    int number = (int) number(LogField.STATUS, status, 3);
    return refusedStatuses.contains(number) ? Outcome.THROTTLED : Outcome.ALLOWED;
  }

  private static long number(LogField field, String text, int mostDigits) throws BadLine {
    boolean isNumber = text.length() <= mostDigits;
    for (int i = 0; i < text.length(); i++) {
      isNumber &= text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    if (!isNumber) {
      throw new BadLine(
          "%s must be a whole number, got \"%s\"".formatted(field, BadLine.shown(text)));
    }
    return Long.parseLong(text);
  }
}
