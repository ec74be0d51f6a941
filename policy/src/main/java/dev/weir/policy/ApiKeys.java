package dev.weir.policy;

import dev.weir.Limit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Knows API keys. Called for every request that shows one, so it answers from memory. */
@FunctionalInterface
public interface ApiKeys {

  /** What is known of the key with that secret text; null if there is none, or no more. */
  @Nullable ApiKey find(String secret);

  /** What is known of the key with that id, for callers that have seen its secret themselves. */
  default @Nullable ApiKey named(String id) {
    return null;
  }

  /**
   * Whether waiting a little would help {@link #find}.
   *
   * @return completes, always well, when more is known or no more is to be had in time; null if
   *     nothing would be gained
   */
  default @Nullable CompletionStage<?> awaited(String secret) {
    return null;
  }

  /** As {@link #awaited}, for {@link #named}. */
  default @Nullable CompletionStage<?> awaitedNamed(String id) {
    return null;
  }

  /** Whether it may ever know one; if not, requests need not be searched for keys. */
  default boolean knowsAny() {
    return true;
  }

  /** Knows no key. */
  static ApiKeys none() {
    return new ApiKeys() {
      @Override
      public @Nullable ApiKey find(String secret) {
        return null;
      }

      @Override
      public boolean knowsAny() {
        return false;
      }
    };
  }

  /**
   * What is known of an API key.
   *
   * @param id names it, without telling the secret; at most {@link Client#MAX_LENGTH} characters
   * @param user whose it is; null: nobody's in particular
   * @param tier the tier of those who use it; null: the user's or the default one
   * @param limits limits of its own; usually none
   * @param owner for who looks for the user
   * @param use for who counts what is used
   */
  record ApiKey(
      String id,
      @Nullable String user,
      @Nullable String tier,
      OwnLimits limits,
      Bookmark owner,
      Bookmark use) {
    public ApiKey {
      Client.checked("key", id);
      Objects.requireNonNull(limits, "limits");
    }

    /** A key with these limits. */
    public ApiKey(String id, @Nullable String user, @Nullable String tier, List<Limit> limits) {
      this(id, user, tier, OwnLimits.ofKey(limits), new Bookmark(), new Bookmark());
    }
  }
}
