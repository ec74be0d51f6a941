package dev.weir.policy.config;

import java.time.Duration;
import java.util.Set;

/**
 * The section {@code [audit]}: which decisions are kept, and for how long.
 *
 * @param decisions which ones
 * @param retention how long
 * @param archive a folder or s3://bucket/prefix for what is older; empty: nothing is kept beyond
 */
public record AuditSettings(Set<EventType> decisions, Duration retention, String archive) {
  public AuditSettings {
    decisions = Set.copyOf(decisions);
  }
}
