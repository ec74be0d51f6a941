package dev.weir.server;

import dev.weir.policy.ApiKeyIds;
import dev.weir.policy.ApiKeys;
import dev.weir.policy.MalformedRequestException;
import org.jspecify.annotations.Nullable;

/**
 * An API key that a caller of {@code /v1/check} passes on. It is verified before anything is
 * decided, and never stored or shown.
 *
 * @param field where it was given, such as {@code api_key}
 * @param secret the key
 * @param isExplicit whether the caller says that it is an API key; else it was found in a header,
 *     which means something else where no keys are issued
 */
record PresentedKey(String field, String secret, boolean isExplicit) {

  /** Whether it is to be verified, rather than a header of some other system. */
  boolean isToVerify(ApiKeys keys) {
    return isExplicit || keys.knowsAny() || ApiKeyIds.isKey(secret);
  }

  /**
   * What is known of the key.
   *
   * @param id the id that the caller gave beside it; null: none
   * @throws MalformedRequestException if there is no such key, or it has another id
   */
  ApiKeys.ApiKey verified(ApiKeys keys, @Nullable String id) {
    ApiKeys.ApiKey found = keys.find(secret);
    if (found == null) {
      throw new MalformedRequestException(
          field, "must be a valid API key; it is unknown, revoked or expired");
    }
    if (id != null && !isSame(id, found.id())) {
      throw new MalformedRequestException(field, "must be the key that \"key\" gives the id of");
    }
    return found;
  }

  /** Ids are written with and without hyphens. */
  private static boolean isSame(String one, String other) {
    return one.replace("-", "").equals(other.replace("-", ""));
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return field;
  }
}
