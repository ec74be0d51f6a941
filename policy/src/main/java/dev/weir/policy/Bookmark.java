package dev.weir.policy;

import org.jspecify.annotations.Nullable;

/**
 * Room on something known for long, where one who meets it with every request leaves what it would
 * have to look for each time. What is in it may be missing or out of date, and it is for its owner
 * to tell. No part of what the thing is: all bookmarks are equal. Thread-safe for what is itself
 * safe to share without a lock.
 */
public final class Bookmark {
  /** Plain: who sees an older one looks again. */
  private @Nullable Object at;

  /** What was left last; null if nothing was. */
  public @Nullable Object at() {
    return at;
  }

  /** Leaves something. */
  public void leave(Object place) {
    at = place;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Bookmark;
  }

  @Override
  public int hashCode() {
    return 0;
  }

  @Override
  public String toString() {
    return "";
  }
}
