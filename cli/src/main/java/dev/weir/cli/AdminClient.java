package dev.weir.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Talks to the admin API of a server. Whatever goes wrong is an {@link InputException} of one line,
 * in which the token never is. Where a server sends us to another place, we do not go: the token is
 * for this one.
 */
final class AdminClient {
  /** Where the token is looked for when none is given. */
  static final String TOKEN_VARIABLE = "RATE_LIMIT_SERVER_ADMIN_TOKEN";

  private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(5);
  private static final int NOT_FOUND = 404;

  private final ServerUrl url;
  private final String token;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .connectTimeout(CONNECT_PATIENCE)
          .build();

  /** With a token that may be empty: then none is shown. */
  AdminClient(ServerUrl url, String token) {
    this.url = url;
    this.token = token;
    if (!token.chars().allMatch(c -> c > ' ' && c <= '~')) {
      throw new InputException(
          "the admin token must be visible characters of ASCII without blanks; look at --token or "
              + TOKEN_VARIABLE);
    }
  }

  /** The answer to a call that the server has obeyed. */
  AdminAnswer ask(AdminCall call) {
    return obeyed(call, send(call));
  }

  /** The answer, or null where there is no such entry. */
  @Nullable AdminAnswer find(AdminCall call) {
    AdminAnswer answer = send(call);
    boolean isMissing = answer.status() == NOT_FOUND && !Refusal.isUnknownPath(answer);
    return isMissing ? null : obeyed(call, answer);
  }

  /** Where the server is. */
  @Override
  public String toString() {
    return url.toString();
  }

  private AdminAnswer obeyed(AdminCall call, AdminAnswer answer) {
    if (!answer.isFine()) {
      throw Refusal.of(answer, call, !token.isEmpty());
    }
    return answer;
  }

  private AdminAnswer send(AdminCall call) {
    CompletableFuture<HttpResponse<byte[]>> response =
        client.sendAsync(request(call), BodyHandlers.ofByteArray());
    try {
      HttpResponse<byte[]> got = response.get(call.patience().toNanos(), TimeUnit.NANOSECONDS);
      String type = got.headers().firstValue("Content-Type").orElse("");
      return new AdminAnswer(url, got.statusCode(), type, got.body());
    } catch (TimeoutException late) {
      response.cancel(true);
      throw new InputException(
          "%s has not answered within %d s".formatted(url, call.patience().toSeconds()));
    } catch (ExecutionException failure) {
      throw new InputException(url + " " + problem(failure.getCause()));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new InputException("interrupted before %s had answered".formatted(url));
    }
  }

  private HttpRequest request(AdminCall call) {
    String body = call.body();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url.resolve(call.path()))
            .method(
                call.method(),
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (body != null) {
      request.header("Content-Type", call.contentType());
    }
    if (call.version() != null) {
      request.header("If-Match", '"' + call.version() + '"');
    }
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return request.build();
  }

  private static String problem(@Nullable Throwable failure) {
    if (failure instanceof HttpConnectTimeoutException) {
      return "cannot be reached: no connection within %d s".formatted(CONNECT_PATIENCE.toSeconds());
    }
    if (failure instanceof ConnectException) {
      return failure.getCause() instanceof UnresolvedAddressException
          ? "cannot be reached: no host has that name"
          : "cannot be reached: no server listens there";
    }
    if (failure instanceof SSLException) {
      return "cannot be talked to over TLS: " + failure.getMessage();
    }
    return failure instanceof IOException
        ? "broke off without an answer that can be read; is it a Weir server?"
        : "cannot be asked: " + failure;
  }
}
