package dev.weir.server.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A client at an address of its own, who writes requests byte by byte as it likes. Nothing checks
 * or adds header fields.
 *
 * @param address one of 127.0.0.0/8
 * @param port of the proxy
 */
record HttpClientAt(String address, int port) {
  private static final int TIMEOUT_MILLIS = 30_000;

  RawAnswer get(String target, String... fields) {
    return send("GET", target, List.of(fields), "");
  }

  RawAnswer send(String method, String target, String... fields) {
    return send(method, target, List.of(fields), "");
  }

  /** With a body of known length, a byte for each character. */
  RawAnswer post(String target, String body) {
    return send("POST", target, List.of("Content-Length: " + body.length()), body);
  }

  /** With a body in chunks of different lengths. */
  RawAnswer postChunked(String target, String body) {
    StringBuilder chunks = new StringBuilder();
    int length = 1;
    for (int start = 0; start < body.length(); start += length, length = length * 3 + 1) {
      length = Math.min(length, body.length() - start);
      chunks.append(Integer.toHexString(length)).append("\r\n");
      chunks.append(body, start, start + length).append("\r\n");
    }
    chunks.append("0\r\n\r\n");
    return send("POST", target, List.of("Transfer-Encoding: chunked"), chunks.toString());
  }

  private RawAnswer send(String method, String target, List<String> fields, String body) {
    StringBuilder request = new StringBuilder();
    request.append(method).append(' ').append(target).append(" HTTP/1.1\r\nHost: example.com\r\n");
    // A client that says something of its own about the connection asks for its end there.
    if (fields.stream().noneMatch(field -> field.startsWith("Connection:"))) {
      request.append("Connection: close\r\n");
    }
    fields.forEach(field -> request.append(field).append("\r\n"));
    request.append("\r\n").append(body);
    return exchange(request.toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Sends those bytes on a connection of their own and reads until its end. */
  private RawAnswer exchange(byte[] request) {
    try (Socket socket = new Socket()) {
      socket.bind(new InetSocketAddress(address, 0));
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(request);
      return RawAnswer.parse(socket.getInputStream().readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
