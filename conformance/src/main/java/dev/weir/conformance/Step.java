package dev.weir.conformance;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One thing that happens in a case. */
sealed interface Step {

  /** When it happens, in seconds since the start of the case. */
  long at();

  /**
   * A request, sent several times over.
   *
   * @param times how often
   * @param domain the domain
   * @param hits the hits of the request; 0 where it has none
   * @param descriptors the descriptors
   * @param expected what each must be answered with
   */
  record Ask(
      long at, int times, String domain, long hits, List<Descriptor> descriptors, Expected expected)
      implements Step {}

  /**
   * Other configuration files.
   *
   * @param files what is in them from now on, by name; empty for a file that is deleted
   * @param isAccepted whether the server must take them, or keep what it has
   * @param mistake what a server is to say about them, where they are wrong
   */
  record Reload(long at, Map<String, Optional<String>> files, boolean isAccepted, String mistake)
      implements Step {}

  /** Counters that the server must show: by rule, then by name. */
  record CheckStats(long at, Map<String, Map<String, Long>> rules) implements Step {}

  /** The state that the server's health service must tell for the name of a service. */
  record CheckHealth(long at, String service, String status) implements Step {}
}
