package dev.weir.policy;

import dev.weir.Limit;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * A named group of paths. Counters are kept by endpoint and never by path, so that nobody can make
 * counters by inventing paths.
 *
 * @param name letters, digits, {@code _}, {@code -} and {@code .}
 * @param paths the paths that belong to it; of several endpoints the most specific pattern wins
 * @param methods in capitals; empty: all
 * @param limit what may be done there; null if the endpoint only gives a name to the paths
 * @param scope what its counters are kept for
 */
public record Endpoint(
    String name,
    List<PathPattern> paths,
    SortedSet<String> methods,
    @Nullable Limit limit,
    Scope scope) {

  /** The endpoint of all paths that belong to no other. */
  public static final String OTHER = "*";

  public Endpoint {
    Names.require("name", name);
    Objects.requireNonNull(scope, "scope");
    paths = List.copyOf(paths);
    methods = Sorted.copyOf(methods);
    if (paths.isEmpty()) {
      throw new IllegalArgumentException(
          "paths must have at least one element, for example [\"/api/**\"], got []");
    }
  }
}
