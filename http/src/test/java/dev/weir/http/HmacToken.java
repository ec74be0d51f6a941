package dev.weir.http;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs with any bytes as the secret, which libraries rightly refuse to do. */
final class HmacToken {
  private HmacToken() {}

  static String sign(String algorithm, String secret, String payload) {
    return sign(
        algorithm,
        "{\"alg\":\"" + algorithm + "\"}",
        secret.getBytes(StandardCharsets.UTF_8),
        payload);
  }

  static String sign(String algorithm, String header, byte[] secret, String payload) {
    try {
      String text = TokenMaker.encoded(header) + "." + TokenMaker.encoded(payload);
      Mac mac = Mac.getInstance("HmacSHA" + algorithm.substring(2));
      mac.init(new SecretKeySpec(secret, "HMAC"));
      byte[] signature = mac.doFinal(text.getBytes(StandardCharsets.US_ASCII));
      return text + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
    } catch (GeneralSecurityException failed) {
      throw new AssertionError(failed);
    }
  }
}
