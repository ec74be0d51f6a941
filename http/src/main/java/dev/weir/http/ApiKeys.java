package dev.weir.http;

import dev.weir.Limit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Knows API keys. Called for every request that shows one, so it answers from memory. */
@FunctionalInterface
public interface ApiKeys {

  /** What is known of the key with that secret text; null if there is none, or no more. */
  @Nullable ApiKey find(String secret);

  /** Knows no key. */
  static ApiKeys none() {
    return secret -> null;
  }

  /**
   * What is known of an API key.
   *
   * @param id names it, without telling the secret
   * @param user whose it is; null: nobody's in particular
   * @param tier the tier of those who use it; null: the user's or the default one
   * @param limits limits of its own; usually none
   */
  record ApiKey(String id, @Nullable String user, @Nullable String tier, List<Limit> limits) {
    public ApiKey {
      Objects.requireNonNull(id, "id");
      limits = List.copyOf(limits);
    }
  }
}
