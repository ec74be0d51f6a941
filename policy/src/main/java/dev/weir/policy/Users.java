package dev.weir.policy;

import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Knows users. Called for every request that has one, so it answers from memory. */
@FunctionalInterface
public interface Users {

  /** What is known of a user; null if nothing is. */
  @Nullable User find(String id);

  /**
   * As {@link #find(String)}, for who asks for the same user again and again, always with the same
   * bookmark.
   */
  default @Nullable User find(String id, Bookmark bookmark) {
    return find(id);
  }

  /**
   * Whether waiting a little would help {@link #find}.
   *
   * @return completes, always well, when more is known or no more is to be had in time; null if
   *     nothing would be gained
   */
  default @Nullable CompletionStage<?> awaited(String id) {
    return null;
  }

  /** Knows no user. */
  static Users none() {
    return id -> null;
  }

  /**
   * What is known of a user.
   *
   * @param id the user
   * @param tier the user's tier, unless a token or a key says another; null: the default one
   * @param limits limits of the user's own, and the monthly quota; often none
   * @param use for who counts what is used
   */
  record User(String id, @Nullable String tier, OwnLimits limits, Bookmark use) {
    public User {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(limits, "limits");
    }

    /** A user with these limits. */
    public User(String id, @Nullable String tier, OwnLimits limits) {
      this(id, tier, limits, new Bookmark());
    }
  }
}
