package dev.weir.testkit.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Sends bytes as they are, also those that no client library would send. */
public final class RawHttp {
  private static final int PATIENCE_MILLIS = 20_000;

  private RawHttp() {}

  /** What came back: the status, 0 if the connection was closed without one, and all of it. */
  public record Reply(int status, String text) {

    /** The body of the first answer, by its length; empty if there is none. */
    public String body() {
      int start = text.indexOf("\r\n\r\n") + 4;
      String name = "content-length: ";
      int at = text.toLowerCase(Locale.ROOT).indexOf(name);
      if (start < 4 || at < 0 || at > start) {
        return "";
      }
      int end = text.indexOf('\r', at);
      int length = Integer.parseInt(text.substring(at + name.length(), end));
      return new String(
          text.substring(start, Math.min(text.length(), start + length))
              .getBytes(StandardCharsets.ISO_8859_1),
          StandardCharsets.UTF_8);
    }
  }

  /** Sends a request, asks the server to close the connection behind it, and reads all. */
  public static Reply call(int port, String request) {
    return call(1, port, withClose(request).getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String withClose(String request) {
    int end = request.indexOf("\r\n\r\n");
    return end < 0
        ? request
        : request.substring(0, end) + "\r\nConnection: close" + request.substring(end);
  }

  /** Sends bytes from 127.0.0.{@code from}. */
  public static Reply call(int from, int port, byte[] request) {
    try (Socket socket = new Socket()) {
      socket.bind(
          new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) from}), 0));
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
      socket.getOutputStream().write(request);
      socket.getOutputStream().flush();
      return read(socket.getInputStream());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Sends bytes and says that no more will come, so that nobody waits for them. */
  public static Reply half(int port, byte[] request) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(request);
      socket.shutdownOutput();
      return read(socket.getInputStream());
    } catch (IOException failure) {
      return new Reply(0, "");
    }
  }

  private static Reply read(InputStream in) throws IOException {
    byte[] all;
    try {
      all = in.readAllBytes();
    } catch (IOException reset) {
      return new Reply(0, "");
    }
    String text = new String(all, StandardCharsets.ISO_8859_1);
    boolean isAnswer = text.startsWith("HTTP/1.1 ");
    return new Reply(isAnswer ? Integer.parseInt(text.substring(9, 12)) : 0, text);
  }
}
