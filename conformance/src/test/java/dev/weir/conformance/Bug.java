package dev.weir.conformance;

/**
 * Mistakes that a server could make; the model makes one on demand. Each has a case that finds it.
 */
enum Bug {
  NONE(""),
  /** Refuses the request that uses the limit up. */
  OVER_AT_THE_LIMIT("hits/hits-use-the-limit-up"),
  /** Counts no hits that are refused. */
  REFUSED_HITS_ARE_FREE("hits/hits-that-do-not-fit"),
  /** Reads a check as one hit. */
  ZERO_HITS_ARE_ONE("check-only/check-counts-nothing"),
  /** Takes the request's hits where a descriptor has its own. */
  DESCRIPTOR_HITS_ARE_IGNORED("hits/descriptor-hits"),
  /** Lets a counter go below zero. */
  NEGATIVE_COUNTERS("negative-hits/negative-stops-at-zero"),
  /** Refuses hits that are given back. */
  NEGATIVE_HITS_CAN_BE_OVER("negative-hits/negative-is-always-ok"),
  /** Has months of 31 days. */
  LONG_MONTHS("windows/month"),
  /** Starts a window with its first hit. */
  WINDOWS_FROM_FIRST_HIT("windows/window-starts-with-the-clock"),
  /** Tries the key alone when the value leads nowhere. */
  BACKTRACKING("matching/no-way-back-from-a-leaf"),
  /** Takes a limit from an outer level for deeper descriptors. */
  OUTER_LIMITS_APPLY("matching/too-many-entries"),
  /** Tries patterns before values. */
  PATTERNS_FIRST("wildcards/exact-before-star"),
  /** Takes the last pattern that matches. */
  LAST_PATTERN_WINS("wildcards/first-pattern-of-the-file"),
  /** Counts each value alone although they share. */
  NOTHING_IS_SHARED("share-threshold/shared-by-all-values"),
  /** Tells the statuses in another order. */
  STATUSES_REVERSED("aggregation/statuses-in-order"),
  /** Refuses when one quota is used up. */
  ONE_QUOTA_REFUSES("quota-mode/some-quotas-used-up"),
  /** Lets a shadowed rule refuse. */
  SHADOWS_REFUSE("shadow-mode/shadow-rule-never-refuses"),
  /** Takes overrides for domains that nobody knows. */
  OVERRIDES_EVERYWHERE("override/override-in-an-unknown-domain"),
  /** Counts limits that are replaced. */
  REPLACED_LIMITS_HOLD("replaces/replaced-limit-is-dropped"),
  /** Tells no remaining for what has no limit. */
  UNLIMITED_REMAINS_NOTHING("unlimited/unlimited"),
  /** Speaks of the first limit in header fields. */
  HEADERS_OF_THE_FIRST("headers/headers-of-the-least-remaining"),
  /** Lets later metadata win. */
  LATER_METADATA_WINS("dynamic-metadata/first-metadata-wins"),
  /** Answers for a domain without a name. */
  EMPTY_DOMAINS_ARE_FINE("errors/no-domain"),
  /** Loads what is right of wrong files. */
  WRONG_FILES_ARE_TAKEN("config-errors/config-unknown-unit"),
  /** Takes the last of several files for a domain. */
  LAST_FILE_WINS("merge-domains/merge-two-files"),
  /** Forgets its counters when it reads new files. */
  COUNTERS_END_WITH_FILES("reload/reload-a-limit"),
  /** Counts all descriptors although it is to stop. */
  NOTHING_STOPS("stop-when-over/stop-others-when-one-is-over"),
  /** Counts hits above the limit as near it. */
  NEAR_INCLUDES_OVER("stats/stats-of-hits"),
  /** Names no values in counters of detailed rules. */
  DETAILS_ARE_LOST("stats/stats-of-a-detailed-rule");

  private final String finder;

  Bug(String finder) {
    this.finder = finder;
  }

  /** The title of a case that fails. */
  String finder() {
    return finder;
  }
}
