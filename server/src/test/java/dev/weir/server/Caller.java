package dev.weir.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Calls a server over HTTP, as any program would. */
final class Caller {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();
  private final int port;

  Caller(int port) {
    this.port = port;
  }

  /** What came back. */
  record Reply(HttpResponse<String> response) {
    int status() {
      return response.statusCode();
    }

    String body() {
      return response.body();
    }

    String field(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    JsonNode json() {
      try {
        return JSON.readTree(body());
      } catch (JsonProcessingException wrong) {
        throw new AssertionError("no JSON: " + body(), wrong);
      }
    }
  }

  Reply get(String path, String... headers) {
    return call("GET", path, null, headers);
  }

  Reply post(String path, String body, String... headers) {
    return call("POST", path, body, headers);
  }

  Reply delete(String path, String... headers) {
    return call("DELETE", path, null, headers);
  }

  Reply call(String method, String path, @Nullable String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(20))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return new Reply(client.send(request.build(), BodyHandlers.ofString()));
    } catch (IOException failure) {
      throw new AssertionError(method + " " + path + " failed", failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError(interrupted);
    }
  }
}
