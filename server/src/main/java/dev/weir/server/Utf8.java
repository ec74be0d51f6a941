package dev.weir.server;

import dev.weir.policy.MalformedRequestException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Strict UTF-8: bytes that decode leniently could name the client or the path of somebody else. */
final class Utf8 {
  private Utf8() {}

  /**
   * Decodes UTF-8.
   *
   * @param field what the bytes are, for the error
   * @throws MalformedRequestException if they are anything else, such as an overlong form
   */
  static String decode(String field, byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException wrong) {
      throw new MalformedRequestException(field, "must be valid UTF-8");
    }
  }

  /** Decodes text of which each character stands for one byte. */
  static String decodeLatin1(String field, String text) {
    return decode(field, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Whether the text can be encoded: a surrogate without its other half cannot. */
  static boolean isEncodable(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
      }
    }
    return true;
  }
}
