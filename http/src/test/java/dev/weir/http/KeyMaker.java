package dev.weir.http;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import java.util.List;
import java.util.Map;

/** Makes real key pairs, what is published of them, and tokens that they sign. */
final class KeyMaker {
  static final RSAKey RSA = rsa("rsa-1");
  static final RSAKey OTHER_RSA = rsa("rsa-2");
  static final ECKey P256 = ec(Curve.P_256, "p-256");

  private KeyMaker() {}

  static RSAKey rsa(String id) {
    try {
      return new RSAKeyGenerator(2_048).keyID(id).generate();
    } catch (JOSEException failed) {
      throw new AssertionError(failed);
    }
  }

  static ECKey ec(Curve curve, String id) {
    try {
      return new ECKeyGenerator(curve).keyID(id).generate();
    } catch (JOSEException failed) {
      throw new AssertionError(failed);
    }
  }

  static String published(JWK... keys) {
    return new JWKSet(List.of(keys)).toString(true);
  }

  static String token(JWSAlgorithm algorithm, JWK key, Map<String, Object> claims) {
    JWSHeader header = new JWSHeader.Builder(algorithm).keyID(key.getKeyID()).build();
    return TokenMaker.signed(header, new Payload(claims), signer(key));
  }

  static JWSSigner signer(JWK key) {
    try {
      return key instanceof RSAKey rsa ? new RSASSASigner(rsa) : new ECDSASigner(key.toECKey());
    } catch (JOSEException failed) {
      throw new AssertionError(failed);
    }
  }
}
