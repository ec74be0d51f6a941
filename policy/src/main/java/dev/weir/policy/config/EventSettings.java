package dev.weir.policy.config;

import java.util.Set;

/**
 * The section {@code [events]}: which decisions are written as lines of JSON, and where.
 *
 * @param log which ones
 * @param sample which part of them, from 0 to 1
 * @param file where to; empty: standard output
 */
public record EventSettings(Set<EventType> log, double sample, String file) {
  public EventSettings {
    log = Set.copyOf(log);
  }
}
