package dev.weir.testkit.redis;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads RESP2 values: commands on the side of a server, replies on the side of a client. */
final class RespReader {
  private final InputStream in;
  private final Charset charset;

  RespReader(InputStream in, Charset charset) {
    this.in = new BufferedInputStream(in);
    this.charset = charset;
  }

  /**
   * The next value: a String, a Long, a List, null, or a {@link RespError}.
   *
   * @throws EOFException at the end of the stream
   */
  @Nullable Object read() throws IOException {
    String line = line();
    if (line.isEmpty()) {
      throw new IOException("a RESP value must begin with one of + - : $ *, got an empty line");
    }
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+' -> rest;
      case '-' -> new RespError(rest);
      case ':' -> Long.valueOf(rest);
      case '$' -> bulk(Integer.parseInt(rest));
      case '*' -> list(Integer.parseInt(rest));
      default ->
          throw new IOException(
              "a RESP value must begin with one of + - : $ *, got \"%s\"".formatted(line));
    };
  }

  private @Nullable String bulk(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length || in.readNBytes(2).length < 2) {
      throw new EOFException("the stream ended inside a value");
    }
    return new String(bytes, charset);
  }

  private @Nullable List<@Nullable Object> list(int size) throws IOException {
    if (size < 0) {
      return null;
    }
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      values.add(read());
    }
    return Collections.unmodifiableList(values);
  }

  private String line() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the stream ended");
      }
      if (b != '\r') {
        bytes.write(b);
      }
    }
    return bytes.toString(charset);
  }
}
