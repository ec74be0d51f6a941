package dev.weir.server.metrics;

import java.util.List;

/**
 * Has metrics of its own. It is asked at every scrape, on the thread of the scrape, and should
 * answer quickly. If it throws, its metrics are left out of that scrape.
 */
@FunctionalInterface
public interface MetricSource {

  /** Its metrics as they are now. */
  List<Metric> read();
}
