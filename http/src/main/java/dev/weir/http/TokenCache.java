package dev.weir.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers findings, up to a number. There are two generations of half that size: what is used is
 * in the young one; when that is full it becomes the old one, and what was in the old one and not
 * used since is forgotten. Thread-safe, and reading takes no lock.
 */
final class TokenCache<F extends Finding> {
  private final int halfSize;
  private volatile Map<TokenPrint, F> young = new ConcurrentHashMap<>();
  private volatile Map<TokenPrint, F> old = Map.of();

  TokenCache(int size) {
    this.halfSize = size / 2;
  }

  @Nullable F find(TokenPrint print, long nowMicros) {
    F found = young.get(print);
    if (found == null) {
      found = old.get(print);
      if (found == null) {
        return null;
      }
      put(print, found);
    }
    return nowMicros < found.untilMicros() ? found : null;
  }

  void put(TokenPrint print, F finding) {
    Map<TokenPrint, F> current = young;
    if (current.size() >= halfSize) {
      current = nextGeneration();
    }
    current.put(print, finding);
  }

  private synchronized Map<TokenPrint, F> nextGeneration() {
    if (young.size() >= halfSize) {
      old = young;
      young = new ConcurrentHashMap<>();
    }
    return young;
  }

  int size() {
    return young.size() + old.size();
  }
}
