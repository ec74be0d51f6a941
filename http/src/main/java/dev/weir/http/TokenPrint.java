package dev.weir.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The SHA-256 hash of a token, which is remembered in its place: a token is a secret. */
record TokenPrint(long first, long second, long third, long fourth) {

  static TokenPrint of(String token) {
    try {
      byte[] text = token.getBytes(StandardCharsets.UTF_8);
      ByteBuffer hash = ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(text));
      return new TokenPrint(hash.getLong(), hash.getLong(), hash.getLong(), hash.getLong());
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }
}
