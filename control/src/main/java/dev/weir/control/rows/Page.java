package dev.weir.control.rows;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A part of a long list.
 *
 * @param items what is on it
 * @param next where the next page begins; null: this is the last one
 */
public record Page<T>(List<T> items, @Nullable String next) {
  /** The most that may be on a page. */
  public static final int MOST = 1_000;

  public Page {
    items = List.copyOf(items);
  }

  /** Makes a page of a query that asked for one item more than the page has room for. */
  public static <T> Page<T> of(List<T> found, int size, Function<T, String> name) {
    boolean hasMore = found.size() > size;
    List<T> items = hasMore ? found.subList(0, size) : found;
    return new Page<>(items, hasMore ? name.apply(items.get(size - 1)) : null);
  }

  /** The size that was asked for, within bounds. */
  public static int requireSize(int size) {
    if (size < 1 || size > MOST) {
      throw new IllegalArgumentException(
          "limit must be between 1 and %d, got %d".formatted(MOST, size));
    }
    return size;
  }
}
