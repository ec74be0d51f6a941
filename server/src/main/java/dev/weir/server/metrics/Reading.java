package dev.weir.server.metrics;

/** A figure that another part of the service keeps, and that is read from it at every scrape. */
public enum Reading {
  /** Keys with counters here; none of those in Redis. */
  ACTIVE_KEYS(
      "weir_rate_limit_active_keys",
      "Keys that have a counter in the memory of this instance.",
      Metric.Type.GAUGE),
  /** Decisions that used the overflow counter. */
  OVERFLOWED(
      "weir_rate_limit_overflowed_total",
      "Decisions by the counter that new keys share when there is no room for their own.",
      Metric.Type.COUNTER),
  /** Refusals that the store remembered. */
  CACHE_HITS(
      "weir_rate_limit_cache_hits_total",
      "Refusals that were remembered and given without asking Redis.",
      Metric.Type.COUNTER),
  /** Decisions that Redis had to be asked for. */
  CACHE_MISSES(
      "weir_rate_limit_cache_misses_total",
      "Decisions that Redis was asked for, as no refusal was remembered.",
      Metric.Type.COUNTER),
  /** Events on their way. */
  AUDIT_QUEUE("weir_audit_queue_size", "Events that wait for being written.", Metric.Type.GAUGE),
  /** Events that will never arrive. */
  AUDIT_DROPPED(
      "weir_audit_dropped_total",
      "Events that were lost, as the queue was full or could not be written.",
      Metric.Type.COUNTER),
  /** What of the database holds here. */
  CONFIGURATION_VERSION(
      "weir_configuration_version",
      "The version of the configuration in the database that holds in this instance.",
      Metric.Type.GAUGE),
  /** How far this instance may be behind. */
  CONFIGURATION_AGE(
      "weir_configuration_age_seconds",
      "How long ago that was last known to be the version that the database has.",
      Metric.Type.GAUGE);

  private final String metric;
  private final String help;
  private final Metric.Type type;

  Reading(String metric, String help, Metric.Type type) {
    this.metric = metric;
    this.help = help;
    this.type = type;
  }

  Metric metric(long value) {
    return type == Metric.Type.COUNTER
        ? Metric.counter(metric, help, value)
        : Metric.gauge(metric, help, value);
  }
}
