package dev.weir.bench;

import dev.weir.envoy.api.RateLimitDescriptor;
import dev.weir.envoy.api.RateLimitRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What a server is asked, for one client or another. */
enum ServerCall {
  /** A request that JSON describes; each client is a user. */
  CHECK {
    @Override
    byte[] request(int client) {
      return post("/v1/check", described(client));
    }

    @Override
    Wire wire(byte[][] requests) {
      return new HttpWire(requests, "\"allowed\": true");
    }
  },

  /** Several requests of different clients that JSON describes, in one call. */
  CHECKS {
    @Override
    byte[] request(int client) {
      return post(
          "/v1/checks",
          IntStream.range(client, client + decisions())
              .mapToObj(ServerCall::described)
              .collect(Collectors.joining(", ", "[", "]")));
    }

    @Override
    Wire wire(byte[][] requests) {
      return new HttpWire(requests, "\"allowed\": true");
    }

    @Override
    int decisions() {
      return 16;
    }
  },

  /** A request that header fields describe, as nginx sends them; each client is an address. */
  AUTH {
    @Override
    byte[] request(int client) {
      return text(
          "GET " + AUTH_PATH + " HTTP/1.1",
          "Host: localhost",
          "X-Original-URI: /api/v1/chat/%d?stream=true".formatted(client),
          "X-Original-Method: POST",
          "X-Forwarded-For: " + address(client),
          "",
          "");
    }

    @Override
    Wire wire(byte[][] requests) {
      return new HttpWire(requests, "");
    }
  },

  /** A request of Envoy; each client is a value of its one descriptor. */
  RLS {
    @Override
    byte[] request(int client) {
      RateLimitDescriptor.Entry entry =
          RateLimitDescriptor.Entry.newBuilder().setKey(ENVOY_KEY).setValue(user(client)).build();
      byte[] message =
          RateLimitRequest.newBuilder()
              .setDomain(ENVOY_DOMAIN)
              .addDescriptors(RateLimitDescriptor.newBuilder().addEntries(entry))
              .build()
              .toByteArray();
      return ByteBuffer.allocate(5 + message.length)
          .put((byte) 0)
          .putInt(message.length)
          .put(message)
          .array();
    }

    @Override
    Wire wire(byte[][] requests) {
      return new GrpcWire(ENVOY_SERVICE + "/" + ENVOY_METHOD, requests);
    }
  };

  static final String AUTH_PATH = "/v1/auth";
  static final String ENVOY_SERVICE = "envoy.service.ratelimit.v3.RateLimitService";
  static final String ENVOY_METHOD = "ShouldRateLimit";
  static final String ENVOY_DOMAIN = "bench";
  static final String ENVOY_KEY = "user";

  /** One request as it goes over the wire; of gRPC, what goes into a frame. */
  abstract byte[] request(int client);

  /** What one connection speaks and understands. */
  abstract Wire wire(byte[][] requests);

  /** How many decisions one request asks for. */
  int decisions() {
    return 1;
  }

  /** The requests of that many clients. */
  byte[][] requests(int clients) {
    byte[][] requests = new byte[clients][];
    for (int client = 0; client < clients; client++) {
      requests[client] = request(client);
    }
    return requests;
  }

  private static String described(int client) {
    return "{\"method\": \"POST\", \"path\": \"/api/v1/chat/completions\", \"ip\": \"%s\", \"user\": \"%s\"}"
        .formatted(address(client), user(client));
  }

  private static byte[] post(String path, String body) {
    return text(
        "POST " + path + " HTTP/1.1",
        "Host: localhost",
        "Content-Type: application/json",
        "Content-Length: " + body.length(),
        "",
        body);
  }

  private static String user(int client) {
    return "user-" + client;
  }

  private static String address(int client) {
    return "10.%d.%d.%d".formatted(client >> 16 & 255, client >> 8 & 255, client & 255);
  }

  private static byte[] text(String... lines) {
    return String.join("\r\n", lines).getBytes(StandardCharsets.US_ASCII);
  }
}
