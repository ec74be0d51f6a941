package dev.weir.control.query;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The place of a row in its order, as a text that callers hand back and do not look into. One that
 * was cut, changed or made for another list is refused.
 */
public final class Cursor {
  private static final Base64.Encoder TO_TEXT = Base64.getUrlEncoder().withoutPadding();
  private static final Base64.Decoder FROM_TEXT = Base64.getUrlDecoder();

  private final char list;
  private final int numbers;

  /**
   * Cursors of a list.
   *
   * @param list another letter for each list
   * @param numbers how many numbers its rows are in order by
   */
  public Cursor(char list, int numbers) {
    this.list = list;
    this.numbers = numbers;
  }

  /** The cursor of a row. */
  public String text(long... place) {
    byte[] bytes = new byte[numbers * Long.BYTES + Integer.BYTES];
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    for (long each : place) {
      buffer.putLong(each);
    }
    buffer.putInt(checksum(bytes));
    return TO_TEXT.encodeToString(bytes);
  }

  /**
   * The numbers that a row was in order by.
   *
   * @throws InvalidQuery if it is no cursor of this list
   */
  public long[] place(String text) {
    return parse(text)
        .orElseThrow(
            () ->
                new InvalidQuery(
                    "cursor",
                    "must be what the page before gave as its next, got \"%s\""
                        .formatted(text.substring(0, Math.min(60, text.length())))));
  }

  private Optional<long[]> parse(String text) {
    byte[] bytes;
    try {
      bytes = FROM_TEXT.decode(text);
    } catch (IllegalArgumentException noBase64) {
      return Optional.empty();
    }
    if (bytes.length != numbers * Long.BYTES + Integer.BYTES) {
      return Optional.empty();
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    long[] place = new long[numbers];
    for (int i = 0; i < numbers; i++) {
      place[i] = buffer.getLong();
    }
    return buffer.getInt() == checksum(bytes) ? Optional.of(place) : Optional.empty();
  }

  /** Of the list and of the numbers. */
  private int checksum(byte[] bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(list);
    checksum.update(bytes, 0, numbers * Long.BYTES);
    return (int) checksum.getValue();
  }
}
