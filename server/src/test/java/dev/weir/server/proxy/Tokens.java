package dev.weir.server.proxy;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Tokens of users that Weir believes. */
final class Tokens {
  private static final String HMAC = "HmacSHA256";

  private Tokens() {}

  static String of(String user) {
    String content =
        encoded("{\"alg\": \"HS256\"}") + "." + encoded("{\"user_id\": \"" + user + "\"}");
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(Weir.SECRET.getBytes(StandardCharsets.UTF_8), HMAC));
      byte[] signature = mac.doFinal(content.getBytes(StandardCharsets.US_ASCII));
      return content + "." + base64(signature);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static String encoded(String text) {
    return base64(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
