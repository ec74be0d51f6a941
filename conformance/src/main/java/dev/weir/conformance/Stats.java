package dev.weir.conformance;

import java.net.URI;
import java.util.Map;

/** Where the counters of a server's rules can be read. */
@FunctionalInterface
public interface Stats {

  /**
   * All counters, by their rule and name with a dot between, such as {@code
   * domain.key_value.total_hits}. What is not there counts as 0.
   */
  Map<String, Long> counters();

  /**
   * Reads them from a page in Prometheus' text form, as envoyproxy/ratelimit serves it: counters
   * such as {@code ratelimit_service_rate_limit_total_hits} with the labels {@code domain}, {@code
   * key1} and {@code key2}.
   */
  static Stats prometheus(URI page) {
    return new PrometheusStats(page);
  }
}
