package dev.weir.server;

import dev.weir.TimeSource;
import dev.weir.control.change.ChangeRefused;
import dev.weir.control.database.DatabaseException;
import dev.weir.control.query.InvalidQuery;
import dev.weir.http.ErrorBody;
import dev.weir.policy.JsonText;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.VisibleText;
import dev.weir.policy.config.ConfigException;
import io.vertx.core.http.HttpMethod;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What all calls of the admin API have in common. */
final class AdminCall {
  private static final System.Logger LOGGER = System.getLogger(AdminCall.class.getName());
  static final String PREFIX = "/v1/admin/";

  /** The first instant that does not fit into every database and format. */
  private static final Instant END_OF_TIME = Instant.parse("+10000-01-01T00:00:00Z");

  private static final int USUAL_PAGE = 100;
  private static final int LARGEST_PAGE = 1_000;

  private AdminCall() {}

  static Route get(String path, Consumer<Exchange> handler) {
    return Route.get(PREFIX + path, Access.READER, guarded(handler));
  }

  static Route post(String path, Consumer<Exchange> handler) {
    return Route.post(PREFIX + path, Access.ADMIN, guarded(handler));
  }

  /** A call with a body that changes nothing. */
  static Route ask(String path, Consumer<Exchange> handler) {
    return Route.post(PREFIX + path, Access.READER, guarded(handler));
  }

  static Route put(String path, Consumer<Exchange> handler) {
    return Route.put(PREFIX + path, Access.ADMIN, guarded(handler));
  }

  static Route patch(String path, Consumer<Exchange> handler) {
    return Route.patch(PREFIX + path, Access.ADMIN, guarded(handler));
  }

  static Route delete(String path, Consumer<Exchange> handler) {
    return Route.delete(PREFIX + path, Access.ADMIN, guarded(handler));
  }

  /** For what is meant for those who operate the service, and for no page of others. */
  static Consumer<Exchange> guarded(Consumer<Exchange> handler) {
    return exchange -> {
      exchange.put("Cache-Control", "no-store");
      // What clients have sent comes back in here, and must not be taken for a page.
      exchange.put("X-Content-Type-Options", "nosniff");
      exchange.guarded(() -> handler.accept(exchange));
    };
  }

  /** Every act is logged, whether or not there is a database that keeps it. */
  static void log(Exchange exchange, String act) {
    LOGGER.log(System.Logger.Level.INFO, "{0}: {1}", actor(exchange), VisibleText.escape(act));
  }

  /** Who asks, for the log and the audit. */
  static String actor(Exchange exchange) {
    String peer = exchange.peer();
    return "admin at " + (peer == null ? "an unknown address" : peer);
  }

  /**
   * Does what waits for the database, and goes on with what comes of it. A change that is refused,
   * and a database that cannot be used, are answered here.
   */
  static <T> void onDatabase(Exchange exchange, Callable<T> task, Consumer<T> then) {
    exchange.onWorker(
        () -> Attempt.of(task),
        attempt -> {
          if (attempt.failure == null) {
            then.accept(attempt.value);
          } else {
            refuse(exchange, attempt.failure);
          }
        });
  }

  /** What came of a task: a value, or a failure that has an answer. */
  private static final class Attempt<T> {
    final T value;
    final @Nullable RuntimeException failure;

    private Attempt(T value, @Nullable RuntimeException failure) {
      this.value = value;
      this.failure = failure;
    }

    @SuppressWarnings("NullAway") // The value of a failure is never looked at.
    static <T> Attempt<T> of(Callable<T> task) throws Exception {
      try {
        return new Attempt<>(task.call(), null);
      } catch (ChangeRefused
          | DatabaseException
          | ConfigException
          | InvalidQuery
          | MalformedRequestException
          | Unavailable failure) {
        return new Attempt<>(null, failure);
      }
    }
  }

  /** Something else than the database cannot be used now. */
  static final class Unavailable extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String field;

    /**
     * A refusal with 503.
     *
     * @param message the whole message, which need not begin with the field
     */
    Unavailable(String field, String message) {
      super(message);
      this.field = field;
    }
  }

  private static void refuse(Exchange exchange, RuntimeException failure) {
    if (failure instanceof ChangeRefused refused) {
      refuse(exchange, status(refused.kind()), refused);
    } else if (failure instanceof ConfigException wrong) {
      mistakes(exchange, wrong);
    } else if (failure instanceof InvalidQuery wrong) {
      exchange.end(
          400,
          Exchange.JSON,
          ErrorBody.json(400, String.valueOf(wrong.getMessage()), wrong.field()));
    } else if (failure instanceof MalformedRequestException wrong) {
      exchange.fail(wrong);
    } else if (failure instanceof Unavailable gone) {
      exchange.end(
          503, Exchange.JSON, ErrorBody.json(503, String.valueOf(gone.getMessage()), gone.field));
    } else {
      exchange.put("Retry-After", "1");
      exchange.fail(
          503,
          "database",
          "cannot be used now; %s: %s".formatted(outcome(exchange, failure), failure.getMessage()));
    }
  }

  private static String outcome(Exchange exchange, RuntimeException failure) {
    boolean mayHaveChanged =
        !exchange.method().equals(HttpMethod.GET)
            && failure instanceof DatabaseException gone
            && gone.isOutcomeUnknown();
    return mayHaveChanged ? "whether the change was made is not known" : "nothing was changed";
  }

  private static int status(ChangeRefused.Kind kind) {
    return switch (kind) {
      case NOT_FOUND -> 404;
      case CONFLICT -> 409;
      case PRECONDITION -> 412;
      case INVALID -> 400;
    };
  }

  private static void refuse(Exchange exchange, int status, ChangeRefused refused) {
    exchange.end(
        status,
        Exchange.JSON,
        ErrorBody.json(status, String.valueOf(refused.getMessage()), refused.field()));
  }

  private static void mistakes(Exchange exchange, ConfigException wrong) {
    exchange.end(
        400,
        Exchange.JSON,
        new JsonText()
            .put("error", "Bad Request")
            .put("message", "nothing was changed, since the text is wrong")
            .put("field", "body")
            .put("mistakes", wrong.mistakes().stream().map(Object::toString).toList())
            .toString());
  }

  /** The version that the caller has seen, as If-Match says it; null: any will do. */
  static @Nullable Long seenVersion(Exchange exchange) {
    String field = exchange.field("If-Match");
    if (field == null || field.equals("*")) {
      return null;
    }
    boolean isOurs = field.length() > 2 && field.startsWith("\"") && field.endsWith("\"");
    try {
      return Long.valueOf(isOurs ? field.substring(1, field.length() - 1) : "");
    } catch (NumberFormatException other) {
      throw new MalformedRequestException(
          "If-Match", "must be an ETag as it was given, for example \"3\"");
    }
  }

  /** Tells the version of what is answered. */
  static void tellVersion(Exchange exchange, long version) {
    exchange.put("ETag", "\"" + version + "\"");
  }

  /** How many entries are wanted at a time. */
  static int pageSize(Exchange exchange) {
    return pageSize(exchange, USUAL_PAGE);
  }

  /** As {@link #pageSize(Exchange)}, with another number unless one is given. */
  static int pageSize(Exchange exchange, int usual) {
    String text = exchange.query("limit");
    try {
      int size = text == null ? usual : Integer.parseInt(text);
      if (size >= 1 && size <= LARGEST_PAGE) {
        return size;
      }
    } catch (NumberFormatException said) {
      // Below.
    }
    throw new MalformedRequestException(
        "limit", "must be a whole number from 1 to " + LARGEST_PAGE + ", got \"" + text + "\"");
  }

  /** A time that the caller names. */
  static Instant instant(String field, String text) {
    try {
      Instant instant = Instant.parse(text);
      if (!instant.isBefore(Instant.EPOCH) && instant.isBefore(END_OF_TIME)) {
        return instant;
      }
    } catch (DateTimeParseException wrong) {
      // As one that no database can keep.
    }
    throw new MalformedRequestException(
        field, "must be a time in UTC between 1970 and 9999, for example \"2030-01-31T12:00:00Z\"");
  }

  /** Refuses an end that has come already: what ends then would never have an effect. */
  static void requireFuture(String field, Instant end, TimeSource time) {
    if (!end.isAfter(Instant.EPOCH.plus(time.nowMicros(), ChronoUnit.MICROS))) {
      throw new MalformedRequestException(field, "must be in the future, got " + end);
    }
  }

  /** A text, or that there is none. */
  static void putOrNull(JsonText text, String name, @Nullable String value) {
    if (value == null) {
      text.putRaw(name, "null");
    } else {
      text.put(name, value);
    }
  }

  /** A page of a longer list. */
  static String page(List<String> items, @Nullable String next) {
    JsonText text = new JsonText().putRaw("items", "[" + String.join(", ", items) + "]");
    putOrNull(text, "next", next);
    return text.toString();
  }
}
