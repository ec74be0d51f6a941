package dev.weir.http;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.MACSigner;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/** Makes tokens, good and bad ones. */
final class TokenMaker {
  private TokenMaker() {}

  static String hs256(Map<String, Object> claims) {
    return signed(new JWSHeader(JWSAlgorithm.HS256), new Payload(claims), secretSigner());
  }

  static JWSSigner secretSigner() {
    return secretSigner(Fixtures.SECRET.getBytes(StandardCharsets.UTF_8));
  }

  static JWSSigner secretSigner(byte[] secret) {
    try {
      return new MACSigner(secret);
    } catch (JOSEException failed) {
      throw new AssertionError(failed);
    }
  }

  static String signed(JWSHeader header, Payload payload, JWSSigner signer) {
    try {
      JWSObject token = new JWSObject(header, payload);
      token.sign(signer);
      return token.serialize();
    } catch (JOSEException failed) {
      throw new AssertionError(failed);
    }
  }

  /** A token of three texts, none of which has to make sense. */
  static String raw(String header, String payload, String signature) {
    return encoded(header) + "." + encoded(payload) + "." + encoded(signature);
  }

  static String encoded(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
