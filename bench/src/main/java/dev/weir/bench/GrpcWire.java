package dev.weir.bench;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * gRPC over HTTP/2 (RFC 9113), as much of it as a client needs that knows what it asks and is sent
 * little. From the second request on, the head is a byte for each field, as with any client that
 * keeps its connections.
 */
final class GrpcWire implements Wire {
  private static final byte[] PREFACE = bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  private static final int FRAME_HEAD = 9;

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int WINDOW_UPDATE = 8;

  private static final int ACK = 1;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;

  /** More than will ever be sent to us, on top of the 65,535 bytes that hold at first. */
  private static final int WINDOW_BYTES = Integer.MAX_VALUE - 65_535;

  /** {@code :method: POST} and {@code :scheme: http}, by RFC 7541's table. */
  private static final byte[] METHOD_AND_SCHEME = {(byte) 0x83, (byte) 0x86};

  /** The four fields that the first head leaves in the table, in its order. */
  private static final byte[] KNOWN_FIELDS = {(byte) 0xc1, (byte) 0xc0, (byte) 0xbf, (byte) 0xbe};

  /** Of a message: not compressed, its length, and {@code overall_code: OK} as its first field. */
  private static final int CODE_OFFSET = 5;

  private static final short CODE_OK = 0x0801;

  private final byte[][] messages;
  private final byte[] firstHead;
  private final byte[] laterHead;

  /** Whether a stream got a right message; of those in flight, by their last bits. */
  private final boolean[] isRight = new boolean[Traffic.MOST_IN_FLIGHT];

  GrpcWire(String method, byte[][] messages) {
    this.messages = messages;
    this.firstHead = firstHead("/" + method);
    this.laterHead = laterHead();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] firstHead(String path) {
    ByteBuffer head = ByteBuffer.allocate(256).put(METHOD_AND_SCHEME);
    // Each is kept in the table, by the number of its name where the standard has one.
    putText(head.put((byte) (0x40 | 4)), path);
    putText(head.put((byte) (0x40 | 1)), "localhost");
    putText(head.put((byte) (0x40 | 31)), "application/grpc");
    putText(head.put((byte) 0x40), "te");
    putText(head, "trailers");
    byte[] bytes = new byte[head.flip().remaining()];
    head.get(bytes);
    return bytes;
  }

  private static void putText(ByteBuffer head, String text) {
    if (text.length() > 126) {
      throw new IllegalArgumentException("text must be at most 126 long, got " + text);
    }
    head.put((byte) text.length()).put(bytes(text));
  }

  private static byte[] laterHead() {
    return ByteBuffer.allocate(METHOD_AND_SCHEME.length + KNOWN_FIELDS.length)
        .put(METHOD_AND_SCHEME)
        .put(KNOWN_FIELDS)
        .array();
  }

  @Override
  public void open(ByteBuffer out) {
    out.put(PREFACE);
    putFrame(out, SETTINGS, 0, 0, 0);
    putFrame(out, WINDOW_UPDATE, 0, 0, Integer.BYTES).putInt(WINDOW_BYTES);
  }

  @Override
  public void ask(int number, int client, ByteBuffer out) {
    int stream = 2 * number + 1;
    byte[] head = number == 0 ? firstHead : laterHead;
    byte[] message = messages[client];
    putFrame(out, HEADERS, END_HEADERS, stream, head.length).put(head);
    putFrame(out, DATA, END_STREAM, stream, message.length).put(message);
    isRight[slot(stream)] = false;
  }

  private static ByteBuffer putFrame(ByteBuffer out, int type, int flags, int stream, int length) {
    return out.putInt(length << 8 | type).put((byte) flags).putInt(stream);
  }

  private int slot(int stream) {
    return stream >> 1 & isRight.length - 1;
  }

  @Override
  public void take(ByteBuffer in, Answers answers, ByteBuffer out) {
    while (in.remaining() >= FRAME_HEAD) {
      int start = in.position();
      int length = in.getInt(start) >>> 8;
      if (in.remaining() < FRAME_HEAD + length) {
        return;
      }
      take(in, start + FRAME_HEAD, length, out);
      int type = in.get(start + 3);
      boolean isLast = (in.get(start + 4) & END_STREAM) != 0;
      if (type == RST_STREAM || (isLast && (type == DATA || type == HEADERS))) {
        int stream = in.getInt(start + 5);
        answers.answered(stream >> 1, isRight[slot(stream)]);
      }
      in.position(start + FRAME_HEAD + length);
    }
  }

  /** Looks at a frame, of which the head lies just before the payload. */
  private void take(ByteBuffer in, int payload, int length, ByteBuffer out) {
    int type = in.get(payload - FRAME_HEAD + 3);
    boolean isAck = (in.get(payload - FRAME_HEAD + 4) & ACK) != 0;
    switch (type) {
      case DATA -> {
        if (length >= CODE_OFFSET + Short.BYTES && in.getShort(payload + CODE_OFFSET) == CODE_OK) {
          isRight[slot(in.getInt(payload - 4))] = true;
        }
      }
      case SETTINGS -> {
        if (!isAck) {
          putFrame(out, SETTINGS, ACK, 0, 0);
        }
      }
      case PING -> {
        if (!isAck) {
          putFrame(out, PING, ACK, 0, Long.BYTES).putLong(in.getLong(payload));
        }
      }
      case GOAWAY -> throw new IllegalStateException("the server ends the connection");
      default -> {
        // Windows never get narrow: few requests are in flight, and they are short.
      }
    }
  }
}
