package dev.weir;

import java.util.Objects;

/**
 * The violations of one key and the penalty that they lead to.
 *
 * @param name which set of penalties; from configuration, never from a client
 * @param key who is penalised; any text
 * @param penalty the rule
 */
public record PenaltyCounter(String name, String key, Penalty penalty) {
  public PenaltyCounter {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(penalty, "penalty");
  }
}
