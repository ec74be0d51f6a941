package dev.weir.server.envoy;

import dev.weir.envoy.api.RateLimitDescriptor;
import dev.weir.envoy.api.RateLimitRequest;

/** How large a request may be. */
final class RequestBounds {
  static final int MOST_DESCRIPTORS = 100;
  static final int MOST_ENTRIES = 8;
  static final int MOST_BYTES = 1_024;

  /** What {@code hits_addend} of a whole request can be, which has 32 bits. */
  static final long MAX_HITS = 0xFFFF_FFFFL;

  private RequestBounds() {}

  /** Refuses a request that is empty or too large, naming the field. */
  static void require(RateLimitRequest request) {
    if (request.getDomain().isEmpty()) {
      throw RateLimitException.undecidable("rate limit domain must not be empty");
    }
    int count = request.getDescriptorsCount();
    if (count == 0) {
      throw RateLimitException.undecidable("rate limit descriptor list must not be empty");
    }
    if (isTooLong(request.getDomain())) {
      throw tooLong("domain");
    }
    if (count > MOST_DESCRIPTORS) {
      throw RateLimitException.malformed(
          "descriptors must be at most " + MOST_DESCRIPTORS + ", got " + count);
    }
    for (int i = 0; i < count; i++) {
      require(request.getDescriptors(i), i);
    }
  }

  private static void require(RateLimitDescriptor descriptor, int index) {
    int count = descriptor.getEntriesCount();
    if (count > MOST_ENTRIES) {
      throw RateLimitException.malformed(
          "descriptors[%d].entries must be at most %d, got %d"
              .formatted(index, MOST_ENTRIES, count));
    }
    if (Long.compareUnsigned(descriptor.getHitsAddend().getValue(), MAX_HITS) > 0) {
      throw RateLimitException.malformed(
          "descriptors[%d].hits_addend must be at most %d, got %s"
              .formatted(
                  index, MAX_HITS, Long.toUnsignedString(descriptor.getHitsAddend().getValue())));
    }
    for (int i = 0; i < count; i++) {
      if (isTooLong(descriptor.getEntries(i).getKey())) {
        throw tooLong("descriptors[%d].entries[%d].key".formatted(index, i));
      }
      if (isTooLong(descriptor.getEntries(i).getValue())) {
        throw tooLong("descriptors[%d].entries[%d].value".formatted(index, i));
      }
    }
  }

  private static RateLimitException tooLong(String field) {
    return RateLimitException.malformed(field + " must have at most " + MOST_BYTES + " bytes");
  }

  /** Whether a text has more bytes in UTF-8 than texts of a request may have. */
  static boolean isTooLong(String text) {
    int length = text.length();
    // No character has more than three bytes, a pair of two has four.
    if (length * 3L <= MOST_BYTES) {
      return false;
    }
    int bytes = 0;
    for (int i = 0; i < length && bytes <= MOST_BYTES; i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        bytes++;
      } else {
        bytes += c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
      }
    }
    return bytes > MOST_BYTES;
  }
}
