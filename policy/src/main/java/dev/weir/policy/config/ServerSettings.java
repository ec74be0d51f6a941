package dev.weir.policy.config;

import java.time.Duration;

/**
 * The section {@code [server]}: where the service listens and who may use it.
 *
 * @param listen host and port
 * @param adminToken the token of the admin API; empty: none
 * @param readToken the token of those who may look, but change nothing; empty: none
 * @param checkToken the token of the check endpoints; empty: none is wanted
 * @param metricsToken the token of the metrics; empty: anybody may read them
 * @param region the name of the region, for events
 * @param id the name of this instance; empty: the name of the host
 * @param data the folder for what this instance keeps on disk
 * @param drain how long the service goes on when it is told to stop, so that load balancers notice
 */
public record ServerSettings(
    String listen,
    String adminToken,
    String readToken,
    String checkToken,
    String metricsToken,
    String region,
    String id,
    String data,
    Duration drain) {
  /** Does not tell secrets. */
  @Override
  public String toString() {
    return "ServerSettings["
        + "listen="
        + listen
        + ", region="
        + region
        + ", id="
        + id
        + ", data="
        + data
        + ", drain="
        + drain
        + "]";
  }
}
