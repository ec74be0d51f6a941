package dev.weir.http;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import dev.weir.policy.config.JwtSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A key that tokens are verified with, and the algorithms it is for. Those follow from the kind of
 * key, so that no token can have a public key taken for a secret.
 *
 * @param id what tokens name it by; null: fits whatever they name
 * @param algorithms what it is for
 * @param verifier does the work; thread-safe
 */
record TokenKey(@Nullable String id, Set<JWSAlgorithm> algorithms, JWSVerifier verifier) {
  private static final int SHORTEST_RSA_BITS = 2_048;
  private static final Set<JWSAlgorithm> RSA =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512);
  private static final Map<Curve, JWSAlgorithm> BY_CURVE =
      Map.of(
          Curve.P_256, JWSAlgorithm.ES256,
          Curve.P_384, JWSAlgorithm.ES384,
          Curve.P_521, JWSAlgorithm.ES512);

  private static final Map<JWSAlgorithm, Integer> SHORTEST_SECRETS =
      Map.of(
          JWSAlgorithm.HS256, JwtSource.HS256_BYTES,
          JWSAlgorithm.HS384, JwtSource.HS384_BYTES,
          JWSAlgorithm.HS512, JwtSource.HS512_BYTES);

  TokenKey {
    algorithms = Set.copyOf(algorithms);
  }

  /**
   * A secret for those algorithms that it is long enough for; none if it is empty.
   *
   * @throws IllegalArgumentException if it is too short for all
   */
  static List<TokenKey> ofSecret(String secret) {
    byte[] bytes = JwtSource.secret(secret);
    if (bytes.length == 0) {
      return List.of();
    }
    Set<JWSAlgorithm> algorithms = new HashSet<>();
    SHORTEST_SECRETS.forEach(
        (algorithm, shortest) -> {
          if (bytes.length >= shortest) {
            algorithms.add(algorithm);
          }
        });
    try {
      return List.of(new TokenKey(null, algorithms, new MACVerifier(bytes)));
    } catch (JOSEException unusable) {
      throw new IllegalArgumentException("jwt_secret must be usable for HS256", unusable);
    }
  }

  /** A public key; null if it is of another kind, too short, or not for signatures. */
  static @Nullable TokenKey of(JWK key) throws JOSEException {
    boolean isForSignatures = key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE);
    Set<KeyOperation> operations = key.getKeyOperations();
    if (!isForSignatures || (operations != null && !operations.contains(KeyOperation.VERIFY))) {
      return null;
    }
    if (key instanceof RSAKey rsa && rsa.size() >= SHORTEST_RSA_BITS) {
      return narrowed(key, RSA, new RSASSAVerifier(rsa.toRSAPublicKey()));
    }
    JWSAlgorithm ofCurve = key instanceof ECKey ec ? BY_CURVE.get(ec.getCurve()) : null;
    return ofCurve == null
        ? null
        : narrowed(key, Set.of(ofCurve), new ECDSAVerifier(key.toECKey().toECPublicKey()));
  }

  /** A key may say which algorithm it is for, of those that its kind allows. */
  private static @Nullable TokenKey narrowed(
      JWK key, Set<JWSAlgorithm> algorithms, JWSVerifier verifier) {
    if (key.getAlgorithm() == null) {
      return new TokenKey(key.getKeyID(), algorithms, verifier);
    }
    JWSAlgorithm only = JWSAlgorithm.parse(key.getAlgorithm().getName());
    return algorithms.contains(only) ? new TokenKey(key.getKeyID(), Set.of(only), verifier) : null;
  }

  /** Whether a token with that header may be verified with it. */
  boolean fits(JWSHeader header) {
    boolean isNamed = id == null || header.getKeyID() == null || id.equals(header.getKeyID());
    return isNamed && algorithms.contains(header.getAlgorithm());
  }
}
