package dev.weir.policy;

import org.jspecify.annotations.Nullable;

/**
 * An IP address as bits. However an address was written, there is one {@code Address} for it: an
 * IPv4 address inside IPv6, mapped ({@code ::ffff:0:0/96}) or translated ({@code 64:ff9b::/96}), is
 * that IPv4 address. Parsing never asks a name server.
 *
 * @param high the upper 64 bits; 0 for IPv4
 * @param low the lower 64 bits; for IPv4 the 32 bits of the address
 * @param isV4 whether it is an IPv4 address
 */
public record Address(long high, long low, boolean isV4) {
  private static final long MAPPED = 0xffffL;
  private static final long TRANSLATED = 0x0064_ff9b_0000_0000L;
  private static final long V4_BITS = 0xffff_ffffL;

  public Address {
    if (isV4 && (high != 0 || (low & ~V4_BITS) != 0)) {
      throw new IllegalArgumentException("an IPv4 address must have 32 bits");
    }
  }

  /** The address with those bits, which is an IPv4 address if they contain one. */
  static Address ofBits(long high, long low) {
    boolean mapped = high == 0 && low >>> 32 == MAPPED;
    boolean translated = high == TRANSLATED && low >>> 32 == 0;
    return mapped || translated
        ? new Address(0, low & V4_BITS, true)
        : new Address(high, low, false);
  }

  /**
   * The address that the text means.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Address parse(String text) {
    Address address = parseOrNull(text);
    if (address == null) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no address, for example 203.0.113.7 or 2001:db8::1");
    }
    return address;
  }

  /** The address that the text means, or null if it is none. */
  public static @Nullable Address parseOrNull(CharSequence text) {
    long bits = AddressText.v4(text, 0, text.length());
    return bits < 0 ? new AddressText(text).parse() : new Address(0, bits, true);
  }

  /** How many bits it has: 32 or 128. */
  public int bits() {
    return isV4 ? 32 : 128;
  }

  /** The address with all bits after the first {@code prefix} set to 0. */
  public Address masked(int prefix) {
    if (prefix < 0 || prefix > bits()) {
      throw new IllegalArgumentException(
          "prefix must be between 0 and %d, got %d".formatted(bits(), prefix));
    }
    if (isV4) {
      return new Address(0, prefix == 0 ? 0 : low & (V4_BITS << (32 - prefix) & V4_BITS), true);
    }
    long upper = prefix >= 64 ? -1 : prefix == 0 ? 0 : -1L << (64 - prefix);
    long lower = prefix <= 64 ? 0 : prefix == 128 ? -1 : -1L << (128 - prefix);
    return new Address(high & upper, low & lower, false);
  }

  /** Whether its first {@code prefix} bits are those of an address of its kind with these bits. */
  boolean startsWith(long otherHigh, long otherLow, int prefix) {
    if (isV4) {
      return shareBits(low << 32, otherLow << 32, prefix);
    }
    return shareBits(high, otherHigh, Math.min(64, prefix))
        && shareBits(low, otherLow, Math.max(0, prefix - 64));
  }

  private static boolean shareBits(long a, long b, int bits) {
    return bits == 0 || (a ^ b) >>> (64 - bits) == 0;
  }

  /** The bit at that place, counted from the left. */
  int bit(int index) {
    if (isV4) {
      return (int) (low >>> (31 - index)) & 1;
    }
    return (int) ((index < 64 ? high >>> (63 - index) : low >>> (127 - index)) & 1);
  }

  /** In the one usual form: {@code 203.0.113.7}, {@code 2001:db8::1} (RFC 5952). */
  @Override
  public String toString() {
    return textAfter("");
  }

  /** As {@link #toString}, behind that text, which is ASCII: most requests need the two as one. */
  String textAfter(String before) {
    if (isV4) {
      return AddressText.ofV4(before, (int) low);
    }
    StringBuilder text = new StringBuilder(before.length() + 39).append(before);
    appendGroups(text);
    return text.toString();
  }

  private int group(int index) {
    return (int) ((index < 4 ? high >>> (48 - 16 * index) : low >>> (112 - 16 * index)) & 0xffff);
  }

  private void appendGroups(StringBuilder text) {
    int zerosAt = -1;
    int zeros = 1;
    for (int i = 0; i < 8; i++) {
      int run = 0;
      while (i + run < 8 && group(i + run) == 0) {
        run++;
      }
      if (run > zeros) {
        zerosAt = i;
        zeros = run;
      }
      i += run;
    }
    for (int i = 0; i < 8; i++) {
      if (i == zerosAt) {
        text.append("::");
        i += zeros - 1;
      } else {
        if (i > 0 && i != zerosAt + zeros) {
          text.append(':');
        }
        text.append(Integer.toHexString(group(i)));
      }
    }
  }
}
