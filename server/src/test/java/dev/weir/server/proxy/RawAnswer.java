package dev.weir.server.proxy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An answer as it came over a connection that was closed behind it.
 *
 * @param status its status
 * @param fields the lines of its header fields
 * @param body its body, chunks put together
 */
record RawAnswer(int status, List<String> fields, String body) {

  static RawAnswer parse(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    if (end < 0) {
      throw new AssertionError("no answer, but: " + text);
    }
    List<String> lines = List.of(text.substring(0, end).split("\r\n", -1));
    int status = Integer.parseInt(lines.get(0).split(" ", 3)[1]);
    RawAnswer head = new RawAnswer(status, lines.subList(1, lines.size()), "");
    String rest = text.substring(end + 4);
    boolean isChunked = head.field("Transfer-Encoding").equals("chunked");
    return new RawAnswer(status, head.fields, isChunked ? joined(rest) : rest);
  }

  private static String joined(String chunks) {
    StringBuilder body = new StringBuilder();
    for (int start = 0; ; ) {
      int line = chunks.indexOf("\r\n", start);
      int length = Integer.parseInt(chunks.substring(start, line), 16);
      if (length == 0) {
        return body.toString();
      }
      body.append(chunks, line + 2, line + 2 + length);
      start = line + 2 + length + 2;
    }
  }

  /** The values of a field, whatever case its name comes in. */
  List<String> values(String name) {
    String start = name.toLowerCase(Locale.ROOT) + ":";
    List<String> values = new ArrayList<>();
    for (String line : fields) {
      if (line.toLowerCase(Locale.ROOT).startsWith(start)) {
        values.add(line.substring(start.length()).strip());
      }
    }
    return values;
  }

  /** The only value of a field; empty if it is absent. */
  String field(String name) {
    List<String> values = values(name);
    if (values.size() > 1) {
      throw new AssertionError(name + " came more than once: " + fields);
    }
    return values.isEmpty() ? "" : values.get(0);
  }
}
