package dev.weir.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.testkit.http.BlockingHttpClient;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Calls a server over HTTP, as any program would. */
final class Caller {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final BlockingHttpClient client;

  Caller(int port) {
    this.client = new BlockingHttpClient(port);
  }

  /** What came back. */
  record Reply(BlockingHttpClient.Response response) {
    int status() {
      return response.status();
    }

    String body() {
      return response.body();
    }

    String field(String name) {
      return response.header(name);
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
    try {
      return new Reply(client.send(method, path, body, headers));
    } catch (IOException failure) {
      throw new AssertionError(method + " " + path + " failed", failure);
    }
  }
}
