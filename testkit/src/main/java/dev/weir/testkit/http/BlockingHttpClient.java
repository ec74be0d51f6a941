package dev.weir.testkit.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * A plain HTTP/1.1 client for one port of the loopback address. It keeps connections open between
 * requests, and sends every request once. Thread-safe.
 *
 * <p>Tests use it instead of the client of the JDK, which loses a response now and then when a
 * connection is reused at once on a busy machine: the subscriber that guards pooled connections
 * takes the response for unexpected data, and the request fails with "connection closed locally".
 */
public final class BlockingHttpClient {
  /** Only bounds a failure. */
  private static final int TIMEOUT_MILLIS = 60_000;

  private static final String CONTENT_LENGTH = "content-length";

  private final InetSocketAddress address;
  private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();

  /** A client of the server on that port. */
  public BlockingHttpClient(int port) {
    this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** What came back. */
  public static final class Response {
    private final int status;
    private final Map<String, List<String>> headers;
    private final byte[] bytes;

    private Response(int status, Map<String, List<String>> headers, byte[] bytes) {
      this.status = status;
      this.headers = headers;
      this.bytes = bytes;
    }

    /** The status code. */
    public int status() {
      return status;
    }

    /** The body as it came. */
    public byte[] bytes() {
      return bytes.clone();
    }

    /** The first value of a header; empty if there is none. */
    public String header(String name) {
      List<String> values = headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
      return values.isEmpty() ? "" : values.get(0);
    }

    /** The body as UTF-8. */
    public String body() {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    private boolean hasHeader(String name, String value) {
      return header(name).toLowerCase(Locale.ROOT).equals(value);
    }
  }

  /** A connection that is open, with nothing under way. */
  private static final class Connection {
    private final SocketChannel channel;
    private final InputStream in;
    private final byte[] buffer = new byte[8 << 10];
    private int position;
    private int end;

    Connection(InetSocketAddress address) throws IOException {
      this.channel = SocketChannel.open();
      try {
        channel.socket().setSoTimeout(TIMEOUT_MILLIS);
        channel.socket().setTcpNoDelay(true);
        channel.socket().connect(address, TIMEOUT_MILLIS);
        this.in = channel.socket().getInputStream();
      } catch (IOException failure) {
        channel.close();
        throw failure;
      }
    }

    /** Whether the server has neither closed it nor sent what nobody asked for. */
    boolean isUsable() {
      if (position < end) {
        return false;
      }
      try {
        channel.configureBlocking(false);
        try {
          return channel.read(ByteBuffer.allocate(1)) == 0;
        } finally {
          channel.configureBlocking(true);
        }
      } catch (IOException reset) {
        return false;
      }
    }

    void write(byte[] request) throws IOException {
      ByteBuffer rest = ByteBuffer.wrap(request);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
    }

    /** Whether there is more in the buffer, after waiting for it; not at the end. */
    private boolean hasMore() throws IOException {
      if (position == end) {
        position = 0;
        end = Math.max(0, in.read(buffer));
      }
      return position < end;
    }

    private int read() throws IOException {
      return hasMore() ? buffer[position++] & 0xff : -1;
    }

    String line() throws IOException {
      StringBuilder line = new StringBuilder();
      for (int next = read(); next != '\n'; next = read()) {
        if (next < 0) {
          throw new EOFException("closed after \"" + line + "\"");
        }
        if (next != '\r') {
          line.append((char) next);
        }
      }
      return line.toString();
    }

    void copy(int count, ByteArrayOutputStream to) throws IOException {
      for (int left = count; left > 0; ) {
        if (!hasMore()) {
          throw new EOFException("closed %d bytes before the end of %d".formatted(left, count));
        }
        int part = Math.min(left, end - position);
        to.write(buffer, position, part);
        position += part;
        left -= part;
      }
    }

    void copyAll(ByteArrayOutputStream to) throws IOException {
      while (hasMore()) {
        to.write(buffer, position, end - position);
        position = end;
      }
    }

    void close() throws IOException {
      channel.close();
    }
  }

  /**
   * Sends a request and reads its response.
   *
   * @param target the path with its query, as it is sent
   * @param body null for a request without one
   * @param headers names and values in turn
   */
  public Response send(String method, String target, @Nullable String body, String... headers)
      throws IOException {
    Connection connection = borrow();
    try {
      connection.write(request(method, target, body, headers));
      Response response = read(connection, method);
      if (isKept(response)) {
        idle.addFirst(connection);
      } else {
        connection.close();
      }
      return response;
    } catch (IOException | RuntimeException failure) {
      connection.close();
      throw failure;
    }
  }

  private Connection borrow() throws IOException {
    for (Connection kept = idle.pollFirst(); kept != null; kept = idle.pollFirst()) {
      if (kept.isUsable()) {
        return kept;
      }
      kept.close();
    }
    return new Connection(address);
  }

  private byte[] request(String method, String target, @Nullable String body, String[] headers) {
    StringBuilder head = new StringBuilder();
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\n");
    head.append("Host: ").append(address.getAddress().getHostAddress());
    head.append(':').append(address.getPort()).append("\r\n");
    for (int i = 0; i < headers.length; i += 2) {
      head.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
    }
    byte[] content = body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
    if (body != null || !(method.equals("GET") || method.equals("HEAD"))) {
      head.append("Content-Length: ").append(content.length).append("\r\n");
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    all.writeBytes(content);
    return all.toByteArray();
  }

  private static Response read(Connection connection, String method) throws IOException {
    String start = connection.line();
    int status = Integer.parseInt(start.substring("HTTP/1.1 ".length()).substring(0, 3));
    Map<String, List<String>> headers = new TreeMap<>();
    for (String line = connection.line(); !line.isEmpty(); line = connection.line()) {
      String[] header = line.split(":", 2);
      headers
          .computeIfAbsent(header[0].toLowerCase(Locale.ROOT), missing -> new ArrayList<>())
          .add(header[1].strip());
    }
    Response head = new Response(status, headers, new byte[0]);
    return method.equals("HEAD") || status == 204 || status == 304
        ? head
        : new Response(status, headers, body(connection, head));
  }

  private static byte[] body(Connection connection, Response head) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    if (head.hasHeader("transfer-encoding", "chunked")) {
      for (int size = chunk(connection); size > 0; size = chunk(connection)) {
        connection.copy(size, body);
        connection.line();
      }
      connection.line();
    } else if (head.headers.containsKey(CONTENT_LENGTH)) {
      connection.copy(Integer.parseInt(head.header(CONTENT_LENGTH)), body);
    } else {
      connection.copyAll(body);
    }
    return body.toByteArray();
  }

  private static int chunk(Connection connection) throws IOException {
    return Integer.parseInt(connection.line().strip(), 16);
  }

  private static boolean isKept(Response response) {
    boolean hasLength =
        response.headers.containsKey(CONTENT_LENGTH)
            || response.hasHeader("transfer-encoding", "chunked")
            || response.status == 204
            || response.status == 304;
    return hasLength && !response.hasHeader("connection", "close");
  }
}
