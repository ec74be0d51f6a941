package dev.weir.http;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON Web Key Sets (RFC 7517). */
final class Jwks {
  private static final int MOST_KEYS = 100;

  private Jwks() {}

  /**
   * The keys of the set that tokens can be verified with. Others, secrets among them, are left out.
   *
   * @throws IllegalArgumentException if it is no key set, or too large a one
   */
  static List<TokenKey> parse(byte[] text) {
    List<TokenKey> keys = new ArrayList<>();
    for (Map<String, Object> entry : entries(new String(text, StandardCharsets.UTF_8))) {
      TokenKey key = usable(entry);
      if (key != null) {
        keys.add(key);
      }
    }
    return keys;
  }

  private static @Nullable TokenKey usable(Map<String, Object> entry) {
    try {
      return TokenKey.of(JWK.parse(entry));
    } catch (ParseException | JOSEException | RuntimeException unusable) {
      // By RFC 7517 keys that are not understood are ignored, and the others are used.
      return null;
    }
  }

  private static List<Map<String, Object>> entries(String text) {
    Map<String, Object>[] entries;
    try {
      entries = JSONObjectUtils.getJSONObjectArray(JSONObjectUtils.parse(text), "keys");
    } catch (ParseException | RuntimeException malformed) {
      entries = null;
    }
    // The mistake's own words are not passed on, since they may quote a key.
    if (entries == null) {
      throw new IllegalArgumentException("a JWKS must be an object with a list of \"keys\"");
    }
    if (entries.length > MOST_KEYS) {
      throw new IllegalArgumentException(
          "a JWKS must have at most %d keys, got %d".formatted(MOST_KEYS, entries.length));
    }
    return List.of(entries);
  }
}
