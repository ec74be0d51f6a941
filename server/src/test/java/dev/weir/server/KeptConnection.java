package dev.weir.server;

import dev.weir.testkit.http.RawHttp;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** A connection that is kept: one request after the other is sent over it, as it is written. */
final class KeptConnection implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 20_000;
  private static final String LENGTH = "\r\ncontent-length: ";

  private final Socket socket;
  private byte[] answer = new byte[1 << 10];

  KeptConnection(int port) throws IOException {
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
  }

  /** A request with a body of JSON. */
  static byte[] post(String path, String json) {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    byte[] head =
        "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
            .formatted(path, body.length)
            .getBytes(StandardCharsets.US_ASCII);
    byte[] request = Arrays.copyOf(head, head.length + body.length);
    System.arraycopy(body, 0, request, head.length, body.length);
    return request;
  }

  /** Sends a request and reads its answer, which must tell how long it is. */
  RawHttp.Reply ask(byte[] request) throws IOException {
    socket.getOutputStream().write(request);
    int size = 0;
    int end = 0;
    while (size < end || end == 0) {
      size += readAt(size);
      end = end == 0 ? end(size) : end;
    }
    String text = new String(answer, 0, size, StandardCharsets.ISO_8859_1);
    return new RawHttp.Reply(Integer.parseInt(text.substring(9, 12)), text);
  }

  private int readAt(int size) throws IOException {
    if (size == answer.length) {
      answer = Arrays.copyOf(answer, 2 * size);
    }
    InputStream in = socket.getInputStream();
    int count = in.read(answer, size, answer.length - size);
    if (count < 0) {
      throw new EOFException("closed after " + size + " bytes of an answer");
    }
    return count;
  }

  /** Where the answer ends; 0 while its head has not come. */
  private int end(int size) {
    String text = new String(answer, 0, size, StandardCharsets.ISO_8859_1);
    int headEnd = text.indexOf("\r\n\r\n");
    if (headEnd < 0) {
      return 0;
    }
    int at = text.toLowerCase(Locale.ROOT).indexOf(LENGTH) + LENGTH.length();
    return headEnd + 4 + Integer.parseInt(text.substring(at, text.indexOf('\r', at)));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
