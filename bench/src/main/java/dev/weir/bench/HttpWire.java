package dev.weir.bench;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** HTTP/1.1: answers come in the order of the requests, and each says how long its body is. */
final class HttpWire implements Wire {
  private static final byte[] STATUS = bytes("HTTP/1.1 200 ");
  private static final byte[] HEAD_END = bytes("\r\n\r\n");
  private static final byte[] LENGTH = bytes("\r\ncontent-length: ");

  /** Sets letters to lower case; what else it changes does not matter here. */
  private static final int LOWER = 0x20;

  private final byte[][] requests;
  private final byte[] wanted;
  private int answered;

  /** Speaks for those clients; an answer is right if it has status 200 and the text in its body. */
  HttpWire(byte[][] requests, String wanted) {
    this.requests = requests;
    this.wanted = bytes(wanted);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void open(ByteBuffer out) {}

  @Override
  public void ask(int number, int client, ByteBuffer out) {
    out.put(requests[client]);
  }

  @Override
  public void take(ByteBuffer in, Answers answers, ByteBuffer out) {
    while (true) {
      int start = in.position();
      int headEnd = find(HEAD_END, in, start, in.limit());
      if (headEnd < 0) {
        return;
      }
      int body = headEnd + HEAD_END.length;
      int end = body + contentLength(in, start, headEnd);
      if (end > in.limit()) {
        return;
      }
      boolean isRight =
          find(STATUS, in, start, start + STATUS.length) == start
              && find(wanted, in, body, end) >= 0;
      in.position(end);
      answers.answered(answered++, isRight);
    }
  }

  private static int contentLength(ByteBuffer in, int start, int end) {
    int found = find(LENGTH, in, start, end);
    if (found < 0) {
      throw new IllegalStateException("an answer without a content-length");
    }
    int length = 0;
    for (int i = found + LENGTH.length; in.get(i) >= '0' && in.get(i) <= '9'; i++) {
      length = 10 * length + in.get(i) - '0';
    }
    return length;
  }

  /** Where the text starts, in whatever case; -1 if it is not there. */
  private static int find(byte[] text, ByteBuffer in, int start, int end) {
    for (int i = start; i + text.length <= end; i++) {
      int same = 0;
      while (same < text.length && (in.get(i + same) | LOWER) == (text[same] | LOWER)) {
        same++;
      }
      if (same == text.length) {
        return i;
      }
    }
    return -1;
  }
}
