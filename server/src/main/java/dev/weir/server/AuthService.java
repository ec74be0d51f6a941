package dev.weir.server;

import dev.weir.http.Answer;
import dev.weir.http.HttpRequest;
import dev.weir.http.RequestFacts;
import dev.weir.policy.Gate;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests that a proxy describes by header fields, as nginx, Caddy, Traefik and HAProxy
 * do: {@code /v1/auth} answers 200, or what the proxy should answer. Only trusted proxies are
 * listened to, since everybody else could describe requests that are not theirs.
 */
final class AuthService {
  private static final String DENY_STATUS = "deny_status=";
  private static final String TRUE_STATUS = "X-Weir-Status";
  private static final CharSequence ORIGINAL_METHOD =
      HttpHeaders.createOptimized("X-Original-Method");
  private static final CharSequence ORIGINAL_URI = HttpHeaders.createOptimized("X-Original-URI");
  private static final CharSequence FORWARDED_METHOD =
      HttpHeaders.createOptimized("X-Forwarded-Method");
  private static final CharSequence FORWARDED_URI = HttpHeaders.createOptimized("X-Forwarded-Uri");

  private final Gate gate;
  private final Supplier<Live> live;

  AuthService(Gate gate, Supplier<Live> live) {
    this.gate = gate;
    this.live = live;
  }

  List<Route> routes() {
    return List.of(Route.any("/v1/auth", Access.CHECK, this::decide).takingAnything());
  }

  private void decide(Exchange exchange) {
    int denyStatus = denyStatus(exchange.request().query());
    orDenied(exchange, denyStatus, () -> decide(exchange, denyStatus));
  }

  /** A mistake gets the status that refusals are to have. */
  private static void orDenied(Exchange exchange, int denyStatus, Runnable task) {
    try {
      task.run();
    } catch (MalformedRequestException wrong) {
      if (denyStatus == 0) {
        throw wrong;
      }
      exchange.put(TRUE_STATUS, "400");
      exchange.fail(denyStatus, wrong);
    }
  }

  private void decide(Exchange exchange, int denyStatus) {
    Live now = live.get();
    String peer = exchange.peer();
    if (!now.facts().isTrustedProxy(peer)) {
      exchange.fail(403, "peer", "must be one of client.trusted_proxies, got " + peer);
      return;
    }
    MultiMap fields = exchange.request().headers();
    HttpRequest described =
        new HttpRequest(
            described(fields, ORIGINAL_METHOD, FORWARDED_METHOD, "GET"),
            // Fields are read byte by byte; some proxies pass on bytes that are not ASCII.
            Utf8.decodeLatin1("path", described(fields, ORIGINAL_URI, FORWARDED_URI, null)),
            peer,
            fields::getAll);
    RequestFacts.Found found = now.facts().find(described);
    CompletionStage<?> awaited = found.awaited();
    if (awaited == null) {
      check(exchange, found.request(), now, denyStatus);
      return;
    }
    exchange.after(
        awaited,
        () ->
            orDenied(
                exchange,
                denyStatus,
                () -> check(exchange, now.facts().of(described), now, denyStatus)));
  }

  private void check(Exchange exchange, Request request, Live now, int denyStatus) {
    exchange.when(gate.checkAsync(request), verdict -> answer(exchange, verdict, now, denyStatus));
  }

  private static void answer(Exchange exchange, Verdict verdict, Live now, int denyStatus) {
    if (verdict.isAllowed()) {
      Answer.fields(verdict, now.response(), exchange::add);
      exchange.end(200);
      return;
    }
    Answer answer = Answer.to(verdict, now.response());
    if (denyStatus != 0) {
      exchange.put(TRUE_STATUS, Integer.toString(answer.status()));
      exchange.answer(denyStatus, answer);
    } else {
      exchange.answer(answer.status(), answer);
    }
  }

  /**
   * What one of two families of fields says. If both do, one of them may come from the client: then
   * they have to agree.
   */
  private static String described(
      MultiMap fields, CharSequence original, CharSequence forwarded, @Nullable String standard) {
    String first = single(fields, original);
    String second = single(fields, forwarded);
    if (first != null && second != null && !first.equals(second)) {
      throw new MalformedRequestException(
          original.toString(), "must not come together with another " + forwarded);
    }
    String said = first == null ? second : first;
    if (said == null && standard == null) {
      throw new MalformedRequestException(
          original.toString(), "must be given, or else " + forwarded);
    }
    return said == null ? Objects.requireNonNull(standard) : said;
  }

  private static @Nullable String single(MultiMap fields, CharSequence name) {
    List<String> values = fields.getAll(name);
    if (values.size() > 1) {
      throw new MalformedRequestException(
          name.toString(), "must be given once, got " + values.size());
    }
    return values.isEmpty() ? null : values.get(0);
  }

  /**
   * The status that refusals are to have; 0 if nothing is said about it. Some proxies leave the
   * client's own query where it is, so all else in it is ignored.
   */
  private static int denyStatus(@Nullable String query) {
    int at = query == null ? -1 : query.indexOf(DENY_STATUS);
    if (query == null || at < 0 || (at > 0 && query.charAt(at - 1) != '&')) {
      return 0;
    }
    int end = query.indexOf('&', at);
    String value = query.substring(at + DENY_STATUS.length(), end < 0 ? query.length() : end);
    int status = value.length() == 3 ? number(value) : 0;
    if (status < 400 || status > 599) {
      throw new MalformedRequestException("deny_status", "must be a status from 400 to 599");
    }
    return status;
  }

  /** The number that the digits say; 0 if they are none. */
  private static int number(String digits) {
    int number = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = Character.digit(digits.charAt(i), 10);
      if (digit < 0) {
        return 0;
      }
      number = number * 10 + digit;
    }
    return number;
  }
}
