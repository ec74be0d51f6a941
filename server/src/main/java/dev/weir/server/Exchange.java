package dev.weir.server;

import dev.weir.http.Answer;
import dev.weir.http.ErrorBody;
import dev.weir.policy.MalformedRequestException;
import io.netty.handler.codec.DecoderException;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.io.Writer;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A request over HTTP and its answer, which is given once. Belongs to one event loop. */
final class Exchange {
  private static final System.Logger LOGGER = System.getLogger(Exchange.class.getName());

  /** The longest body that is read. */
  static final int MOST_BYTES = 64 << 10;

  static final String JSON = "application/json";

  private static final FieldNames FIELD_NAMES = new FieldNames();

  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final Connections.Caller caller;
  private String parameter = "";
  private @Nullable Buffer body;

  Exchange(HttpServerRequest request, Connections.Caller caller) {
    this.request = request;
    this.caller = caller;
    this.response = request.response();
    // Also of requests whose body nobody reads.
    request.exceptionHandler(this::broken);
  }

  HttpServerRequest request() {
    return request;
  }

  HttpMethod method() {
    return request.method();
  }

  /** As it was sent, without the query. */
  String path() {
    String path = request.path();
    return path == null ? "" : path;
  }

  /** The host that the caller believes to talk to. */
  @Nullable String host() {
    return RequestHead.host(request);
  }

  /** The address that the connection comes from; null if it has none. */
  @Nullable String peer() {
    return caller.address();
  }

  /** The first value of a header field. */
  @Nullable String field(CharSequence name) {
    return request.headers().get(name);
  }

  /** The value of a cookie; null unless it was sent. */
  @Nullable String cookie(String name) {
    for (String line : request.headers().getAll(HttpHeaders.COOKIE)) {
      for (String pair : line.split(";", -1)) {
        String cookie = pair.strip();
        if (cookie.startsWith(name) && cookie.startsWith("=", name.length())) {
          return cookie.substring(name.length() + 1);
        }
      }
    }
    return null;
  }

  void useParameter(String parameter) {
    this.parameter = parameter;
  }

  /** What stands in the path in place of the parameter, decoded. */
  String parameter() {
    try {
      String bytes = URLDecoder.decode(parameter.replace("+", "%2B"), StandardCharsets.ISO_8859_1);
      return Utf8.decodeLatin1("path", bytes);
    } catch (MalformedRequestException wrong) {
      throw wrong;
    } catch (IllegalArgumentException malformed) {
      throw new MalformedRequestException("path", "must be percent-encoded as by RFC 3986");
    }
  }

  /** The value of a query parameter; null if it is not given. An empty one is refused. */
  @Nullable String query(String name) {
    String value = valueOf(name);
    if (value != null && value.isEmpty()) {
      // Neither "not given" nor "all" is a safe guess: ?dry_run does not ask for a change.
      throw new MalformedRequestException(name, "must have a value");
    }
    return value;
  }

  /** The value of a query parameter that may be empty, which is as good as not given. */
  String queryOrEmpty(String name) {
    String value = valueOf(name);
    return value == null ? "" : value;
  }

  private @Nullable String valueOf(String name) {
    List<String> values = query().getAll(name);
    if (values.size() > 1) {
      throw new MalformedRequestException(name, "must be given once");
    }
    return values.isEmpty() ? null : Utf8.decodeLatin1(name, values.get(0));
  }

  /** The query, each byte as one character. */
  private MultiMap query() {
    try {
      return request.setParamsCharset(StandardCharsets.ISO_8859_1.name()).params();
    } catch (IllegalArgumentException malformed) {
      throw new MalformedRequestException("query", "must be percent-encoded as by RFC 3986");
    }
  }

  /** Refuses parameters that nothing is known of: a filter that is misspelt must not let all by. */
  void requireQueryOf(Set<String> known) {
    for (String name : query().names()) {
      if (!known.contains(name)) {
        String others =
            known.isEmpty()
                ? "; there are no parameters"
                : "; known are " + String.join(", ", new TreeSet<>(known));
        throw new MalformedRequestException(name, "is not known here" + others);
      }
    }
  }

  /** Whether the caller only wants to know what would come of it. */
  boolean isDryRun() {
    String value = query(Route.DRY_RUN);
    if (value == null || value.equals("false")) {
      return false;
    }
    if (!value.equals("true")) {
      throw new MalformedRequestException(Route.DRY_RUN, "must be true or false");
    }
    return true;
  }

  /** Sets a header field of the answer. */
  void put(CharSequence name, String value) {
    if (!response.ended()) {
      response.putHeader(name, value);
    }
  }

  /** Adds a header field of a rate limit, which the answer does not have yet. */
  void add(String name, String value) {
    response.headers().add(FIELD_NAMES.of(name), value);
  }

  /** Reads the whole body, and goes on with it unless it is too long. */
  void body(Consumer<byte[]> then) {
    body(MOST_BYTES, then);
  }

  /** As {@link #body(Consumer)}, of a body that may be of another length. */
  void body(int mostBytes, Consumer<byte[]> then) {
    caller.bodyStarts();
    request.handler(
        part -> {
          if (!response.ended() && length(body) + part.length() > mostBytes) {
            tooLong(mostBytes);
          } else if (!response.ended()) {
            // Most come in one part.
            body = body == null ? part : body.appendBuffer(part);
          }
        });
    request.endHandler(
        end -> {
          caller.bodyEnds(request);
          if (!response.ended()) {
            guarded(() -> then.accept(body == null ? new byte[0] : body.getBytes()));
          }
        });
  }

  /** Framing that cannot be read gets a response; the HTTP library closes the connection then. */
  private void broken(Throwable failure) {
    boolean isMalformed =
        failure instanceof IllegalArgumentException || failure instanceof DecoderException;
    if (isMalformed && !response.ended() && !response.closed()) {
      put(HttpHeaders.CONNECTION, "close");
      fail(400, "body", "must be framed as by RFC 9112");
    }
  }

  private static int length(@Nullable Buffer part) {
    return part == null ? 0 : part.length();
  }

  /** The connection ends with it: what is still to come is not wanted. */
  private void tooLong(int mostBytes) {
    if (request.version() != HttpVersion.HTTP_2) {
      put("Connection", "close");
    }
    fail(413, "body", "must be at most " + mostBytes + " bytes long");
    if (request.version() == HttpVersion.HTTP_2) {
      response.reset(0x8);
    }
  }

  /** Goes on when the stage is complete, on this request's event loop. */
  <T> void when(CompletionStage<T> stage, Consumer<? super T> then) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    if (future.isDone()) {
      finish(future, then);
      return;
    }
    Context context = Vertx.currentContext();
    stage.whenComplete((value, failure) -> context.runOnContext(ignored -> finish(future, then)));
  }

  private <T> void finish(CompletableFuture<T> future, Consumer<? super T> then) {
    if (!response.ended() && !response.closed()) {
      guarded(() -> then.accept(future.join()));
    }
  }

  /** Goes on at once, or when something is known that is worth waiting for. */
  void after(@Nullable CompletionStage<?> awaited, Runnable then) {
    if (awaited == null) {
      then.run();
    } else {
      when(awaited, done -> then.run());
    }
  }

  /** Does what may take long on another thread, and goes on with what comes of it. */
  <T> void onWorker(Callable<T> task, Consumer<? super T> then) {
    Vertx.currentContext()
        .executeBlocking(task)
        .onComplete(
            done ->
                guarded(
                    () -> {
                      if (done.failed()) {
                        throw new CompletionException(done.cause());
                      }
                      then.accept(done.result());
                    }));
  }

  /** What writes a long answer, on a thread that may wait. */
  @FunctionalInterface
  interface Source {
    /** Writes all of it. */
    void write(Writer target) throws IOException;
  }

  /**
   * Answers with what may be longer than memory. Who writes waits for who reads; if writing fails
   * in the middle, the connection ends, so that nobody takes a part for all.
   */
  void stream(String contentType, Source source) {
    put(HttpHeaders.CONTENT_TYPE, contentType);
    response.setChunked(true);
    Vertx.currentContext()
        .executeBlocking(
            () -> {
              try (Writer target = new ResponseWriter(response)) {
                source.write(target);
              }
              return true;
            },
            false)
        .onComplete(
            done -> {
              if (done.succeeded()) {
                response.end();
              } else {
                LOGGER.log(
                    System.Logger.Level.WARNING,
                    method() + " " + path() + " broke off",
                    done.cause());
                response.reset();
              }
            });
  }

  /** Whatever goes wrong, the caller gets a response, which reveals nothing internal. */
  void guarded(Runnable task) {
    try {
      task.run();
    } catch (MalformedRequestException wrong) {
      unlessStarted(() -> fail(wrong));
    } catch (RuntimeException | Error failure) {
      LOGGER.log(System.Logger.Level.ERROR, method() + " " + path() + " failed", failure);
      unlessStarted(() -> fail(500, "", "the request could not be answered; the log says why"));
    }
  }

  /** A response that has begun cannot become an error; it is broken off, so that nobody waits. */
  private void unlessStarted(Runnable respond) {
    if (!response.headWritten()) {
      respond.run();
    } else if (!response.ended()) {
      response.reset();
    }
  }

  void json(String body) {
    end(200, JSON, body);
  }

  /** Answers with what a verdict says over HTTP. */
  void answer(int status, Answer answer) {
    if (response.ended()) {
      return;
    }
    answer.fields().forEach(this::add);
    if (answer.body().isEmpty()) {
      response.setStatusCode(status).end();
    } else {
      end(status, answer.contentType(), answer.body());
    }
  }

  /** Nothing happens if the request was already answered since its framing is broken. */
  void end(int status, String contentType, String body) {
    if (!response.ended()) {
      put(HttpHeaders.CONTENT_TYPE, contentType);
      response.setStatusCode(status).end(body);
    }
  }

  /** Answers with bytes that are not made for this caller alone. */
  void end(int status, String contentType, byte[] body) {
    if (!response.ended()) {
      put(HttpHeaders.CONTENT_TYPE, contentType);
      response.setStatusCode(status).end(Buffer.buffer(body));
    }
  }

  /** Answers without a body. */
  void end(int status) {
    if (!response.ended()) {
      response.setStatusCode(status).end();
    }
  }

  void fail(MalformedRequestException wrong) {
    fail(400, wrong);
  }

  /** Answers a mistake with a status that the caller has asked for. */
  void fail(int status, MalformedRequestException wrong) {
    end(status, JSON, ErrorBody.json(400, String.valueOf(wrong.getMessage()), wrong.field()));
  }

  void fail(int status, String field, String problem) {
    String message = field.isEmpty() || status == 404 ? problem : field + " " + problem;
    end(status, JSON, ErrorBody.json(status, message, field));
  }
}
