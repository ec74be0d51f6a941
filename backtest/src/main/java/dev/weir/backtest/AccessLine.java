package dev.weir.backtest;

import dev.weir.policy.Client;
import dev.weir.policy.Headers;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.Outcome;
import dev.weir.policy.Request;
import dev.weir.policy.RequestPath;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lines of the Common and the Combined Log Format:
 *
 * <pre>{@code 203.0.113.7 - alice [10/Oct/2026:13:55:36 +0000] "GET /a?b HTTP/1.1" 200 2326 …}
 * </pre>
 *
 * <p>Of what follows the status nothing is looked at. This is where a backtest spends its time, so
 * a line is read where it lies, and made into objects only where it differs from lines before.
 */
final class AccessLine implements LineFormat {
  private static final int CLIENT_BITS = 15;
  private static final int PATH_BITS = 13;
  private static final int METHOD_BITS = 6;

  private final LoggedClient loggedClient;
  private final Set<Integer> refusedStatuses;
  private final boolean saysOutcome;
  private final AccessTime time = new AccessTime();
  private final ByteCache<Client> clients = new ByteCache<>(CLIENT_BITS, this::client);
  private final ByteCache<String> paths = new ByteCache<>(PATH_BITS, AccessLine::path);
  private final ByteCache<String> methods = new ByteCache<>(METHOD_BITS, AccessLine::text);

  AccessLine(LoggedClient loggedClient, Set<Integer> refusedStatuses) {
    this.loggedClient = loggedClient;
    this.refusedStatuses = refusedStatuses;
    this.saysOutcome = !refusedStatuses.isEmpty();
  }

  @Override
  public LoggedRequest read(byte[] bytes, int from, int to) throws BadLine {
    int bracket = timeStart(bytes, from, to);
    int close = timeEnd(bytes, bracket + 1, to);
    int quote = close + 2;
    if (quote >= to || bytes[close + 1] != ' ' || bytes[quote] != '"') {
      throw new BadLine("after the time must come the request in quotes");
    }
    int quoteEnd = quoteEnd(bytes, quote + 1, to);
    int status = status(bytes, quoteEnd + 1, to);
    long atMicros = time.read(bytes, bracket + 1, close);
    Client client = clients.get(bytes, from, bracket - 1);
    Request request = request(bytes, quote + 1, quoteEnd, client);
    return new LoggedRequest(atMicros, request, saysOutcome ? outcome(status) : null, null, null);
  }

  private @Nullable Outcome outcome(int status) {
    return refusedStatuses.contains(status) ? Outcome.THROTTLED : Outcome.ALLOWED;
  }

  /** Where the bracket before the time is, behind address, identity and user. */
  private static int timeStart(byte[] bytes, int from, int to) throws BadLine {
    int addressEnd = indexOf(bytes, ' ', from, to);
    int identityEnd = indexOf(bytes, ' ', addressEnd + 1, to);
    for (int i = identityEnd + 2; i < to; i++) {
      if (bytes[i] == '[' && bytes[i - 1] == ' ') {
        return i;
      }
    }
    throw new BadLine("must have address, identity, user and then the time in brackets");
  }

  private static int timeEnd(byte[] bytes, int from, int to) throws BadLine {
    int usual = from + AccessTime.LENGTH;
    if (usual < to && bytes[usual] == ']') {
      return usual;
    }
    for (int i = from; i < to; i++) {
      if (bytes[i] == ']') {
        return i;
      }
    }
    throw new BadLine("must have the time in brackets");
  }

  /** Quotes inside are escaped: by nginx as {@code \x22}, by Apache as {@code \"}. */
  private static int quoteEnd(byte[] bytes, int from, int to) throws BadLine {
    for (int i = from; i < to; i++) {
      if (bytes[i] == '"') {
        return i;
      }
      if (bytes[i] == '\\') {
        i++;
      }
    }
    throw new BadLine("the quotes of the request must be closed");
  }

  private static int status(byte[] bytes, int from, int to) throws BadLine {
    boolean isNumber =
        from + 4 <= to
            && bytes[from] == ' '
            && isDigit(bytes[from + 1])
            && isDigit(bytes[from + 2])
            && isDigit(bytes[from + 3])
            && (from + 4 == to || bytes[from + 4] == ' ');
    if (!isNumber) {
      throw new BadLine("after the request must come a status of three digits");
    }
    return (bytes[from + 1] - '0') * 100 + (bytes[from + 2] - '0') * 10 + bytes[from + 3] - '0';
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  private Request request(byte[] bytes, int from, int to, Client client) throws BadLine {
    int first = indexOf(bytes, ' ', from, to);
    int last = to - 1;
    while (last > first && bytes[last] != ' ') {
      last--;
    }
    int targetEnd = last > first ? last : to;
    if (first == to || first + 1 == targetEnd) {
      throw new MalformedRequestException(
          "request",
          "must be a method, a target and a protocol, got \"%s\""
              .formatted(BadLine.shown(text(bytes, from, to))));
    }
    String method = methods.get(bytes, from, first);
    String path = paths.get(bytes, first + 1, pathEnd(bytes, first + 1, targetEnd));
    return new Request(method, path, client, 1, Headers.none());
  }

  /** Queries would make of each request a text of its own. */
  private static int pathEnd(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] == '?') {
        // A target may be no more than that; what it means is not for here.
        return i == from ? to : i;
      }
    }
    return to;
  }

  private static int indexOf(byte[] bytes, char wanted, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] == wanted) {
        return i;
      }
    }
    return to;
  }

  private static String path(byte[] bytes, int from, int to) {
    return RequestPath.canonical(text(bytes, from, to));
  }

  private static String text(byte[] bytes, int from, int to) {
    return indexOf(bytes, '\\', from, to) < to
        ? EscapedText.of(bytes, from, to)
        : new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  /** Made of address, identity and user; only the user may have blanks in it. */
  private Client client(byte[] bytes, int from, int to) throws BadLine {
    int addressEnd = indexOf(bytes, ' ', from, to);
    int identityEnd = indexOf(bytes, ' ', addressEnd + 1, to);
    // An address has nothing that is escaped.
    String address = new String(bytes, from, addressEnd - from, StandardCharsets.UTF_8);
    return loggedClient.of(address, text(bytes, identityEnd + 1, to), null, null);
  }
}
