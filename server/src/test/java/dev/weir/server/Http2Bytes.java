package dev.weir.server;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** HTTP/2 as bytes, for clients that no library would be. */
final class Http2Bytes {
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int ACKNOWLEDGED = 1;
  private static final int END_STREAM_AND_HEADERS = 5;
  private static final int PRIORITY = 0x20;
  private static final int PRIORITY_BYTES = 5;
  private static final Map<Integer, Integer> STATUS_BY_HPACK_INDEX =
      Map.of(0x88, 200, 0x8c, 400, 0x8d, 404, 0x8e, 500);
  private static final byte[] CANCEL = {0, 0, 0, 8};

  private Http2Bytes() {}

  /** A connection from its start: requests, each of which is cancelled in the next moment. */
  static byte[] cancelledRequests(int count) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(PREFACE);
    frame(out, SETTINGS, 0, 0, new byte[0]);
    byte[] head = head("/healthz", "localhost");
    for (int i = 0; i < count; i++) {
      int stream = 2 * i + 1;
      frame(out, HEADERS, END_STREAM_AND_HEADERS, stream, head);
      frame(out, RST_STREAM, 0, stream, CANCEL);
    }
    return out.toByteArray();
  }

  /** A connection from its start, on which nothing is asked. */
  static byte[] start() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(PREFACE);
    frame(out, SETTINGS, 0, 0, new byte[0]);
    return out.toByteArray();
  }

  /** Asks the other side whether it is there. */
  static byte[] ping() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    frame(out, PING, 0, 0, new byte[8]);
    return out.toByteArray();
  }

  /** A request without a body, whose header fields end the stream. */
  static byte[] get(int stream, String path, String authority) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    frame(out, HEADERS, END_STREAM_AND_HEADERS, stream, head(path, authority));
    return out.toByteArray();
  }

  /** Reads until the responses of so many streams have begun, and returns their status. */
  static Map<Integer, Integer> readStatuses(InputStream from, int count) throws IOException {
    DataInputStream in = new DataInputStream(from);
    Map<Integer, Integer> statuses = new HashMap<>();
    while (statuses.size() < count) {
      int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
      int type = in.readUnsignedByte();
      int flags = in.readUnsignedByte();
      int stream = in.readInt();
      byte[] payload = in.readNBytes(length);
      if (type == HEADERS) {
        int status = payload[(flags & PRIORITY) == 0 ? 0 : PRIORITY_BYTES] & 0xff;
        statuses.put(stream, STATUS_BY_HPACK_INDEX.getOrDefault(status, 0));
      } else if (type == RST_STREAM) {
        statuses.put(stream, 0);
      } else if (type == GOAWAY) {
        throw new IOException("the connection was ended");
      }
    }
    return statuses;
  }

  /** Reads until the other side has answered a ping; fails at the end of the connection. */
  static void readPong(InputStream from) throws IOException {
    DataInputStream in = new DataInputStream(from);
    boolean isAnswered = false;
    while (!isAnswered) {
      int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
      isAnswered = in.readUnsignedByte() == PING && in.readUnsignedByte() == ACKNOWLEDGED;
      in.skipNBytes((isAnswered ? 4 : 5) + length);
    }
  }

  private static void frame(
      ByteArrayOutputStream out, int type, int flags, int stream, byte[] payload) {
    number(out, 3, payload.length);
    out.write(type);
    out.write(flags);
    number(out, 4, stream);
    out.writeBytes(payload);
  }

  private static void number(ByteArrayOutputStream out, int bytes, int number) {
    for (int i = bytes - 1; i >= 0; i--) {
      out.write(number >> (8 * i));
    }
  }

  /** A GET by HPACK, with nothing in its table. */
  private static byte[] head(String path, String authority) {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    head.write(0x82);
    head.write(0x86);
    literal(head, 4, path);
    literal(head, 1, authority);
    return head.toByteArray();
  }

  private static void literal(ByteArrayOutputStream head, int name, String value) {
    head.write(name);
    head.write(value.length());
    head.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
  }

  /** Reads until the other side says that it ends the connection, and returns why. */
  static int readGoAway(InputStream from) throws IOException {
    DataInputStream in = new DataInputStream(from);
    while (true) {
      int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
      int type = in.readUnsignedByte();
      in.skipNBytes(5);
      if (type == GOAWAY) {
        in.skipNBytes(4);
        return in.readInt();
      }
      in.skipNBytes(length);
    }
  }
}
