package dev.weir.redis;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/**
 * The names of Redis keys: {@code <prefix>:{<key>}:<name>}. The key of a counter is the hash tag,
 * so that all counters of one client sit in one slot of a cluster.
 *
 * <p>A key that is empty or long, or has a character that could mean something, stands there as its
 * hash behind a {@code ~}, which no plain key starts with; so no two keys have one name, and nobody
 * chooses the slot of another.
 */
final class KeyNames {
  private static final int LONGEST = 64;
  private static final int HASH_BYTES = 16;

  private final String prefix;

  KeyNames(String prefix) {
    this.prefix = prefix;
  }

  /** Where it is told that counters have room again. */
  String channel() {
    return prefix + "!room";
  }

  /** What decides in which slot of a cluster the counters of a key are. */
  static String tag(String key) {
    return plain(key);
  }

  /** The key of a counter's state. */
  String counter(String name, String key) {
    return prefix + ":{" + plain(key) + "}:" + plain(name);
  }

  /** The key of a penalty's state. */
  String penalty(String name, String key) {
    return prefix + ":{" + plain(key) + "}!" + plain(name);
  }

  /** The key of the entries of a log whose state has that key. */
  static String entries(String stateKey) {
    return stateKey + "#";
  }

  /** The key of a store's marker, which is no counter's: no other key has this behind the tag. */
  String marker(String tag, String id) {
    return prefix + ":{" + tag + "}#" + id;
  }

  private static String plain(String text) {
    return isPlain(text) ? text : "~" + hash(text);
  }

  private static boolean isPlain(String text) {
    // Redis takes an empty hash tag for none.
    if (text.isEmpty() || text.length() > LONGEST) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isPlain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || "_-.:/@+*=".indexOf(c) >= 0;
      if (!isPlain) {
        return false;
      }
    }
    return true;
  }

  private static String hash(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      // Not as UTF-8, which has one question mark for all halves of surrogate pairs.
      ByteBuffer chars = ByteBuffer.allocate(Math.multiplyExact(Character.BYTES, text.length()));
      chars.asCharBuffer().put(text);
      byte[] hash = Arrays.copyOf(digest.digest(chars.array()), HASH_BYTES);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }
}
