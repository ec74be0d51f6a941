package dev.weir.server.envoy;

import dev.weir.policy.FailureMode;
import dev.weir.policy.config.Config;
import dev.weir.policy.config.EnvoySettings;
import java.util.Objects;
import java.util.Optional;

/**
 * How the service decides.
 *
 * @param shadowMode whether every request passes, however its limits stand
 * @param responseHeaders the header fields of answers; absent for none
 * @param dynamicMetadata whether answers tell what was asked, and the metadata of rules
 * @param allOrNothing whether a refused request consumes nothing of any of its limits
 * @param failureMode what happens when counters cannot be reached
 * @param localNodes among how many instances limits are divided in the mode {@code local}
 */
public record EnvoyOptions(
    boolean shadowMode,
    Optional<HeaderNames> responseHeaders,
    boolean dynamicMetadata,
    boolean allOrNothing,
    FailureMode failureMode,
    int localNodes) {

  /**
   * The names of the header fields of answers.
   *
   * @param limit of that with the limit
   * @param remaining of that with what remains
   * @param reset of that with the seconds until it resets
   */
  public record HeaderNames(String limit, String remaining, String reset) {
    /** The names unless others are given. */
    public static final HeaderNames STANDARD =
        new HeaderNames("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset");

    public HeaderNames {
      Objects.requireNonNull(limit, "limit");
      Objects.requireNonNull(remaining, "remaining");
      Objects.requireNonNull(reset, "reset");
    }
  }

  /** The options unless others are given. */
  public static final EnvoyOptions STANDARD =
      new EnvoyOptions(false, Optional.empty(), false, false, FailureMode.LOCAL, 1);

  public EnvoyOptions {
    Objects.requireNonNull(responseHeaders, "responseHeaders");
    Objects.requireNonNull(failureMode, "failureMode");
    if (localNodes < 1) {
      throw new IllegalArgumentException("localNodes must be at least 1, got " + localNodes);
    }
  }

  /** What a {@code weir.toml} says in {@code [envoy]} and {@code [counters]}. */
  public static EnvoyOptions of(Config config) {
    EnvoySettings envoy = config.envoy();
    return new EnvoyOptions(
        envoy.shadowMode(),
        envoy.responseHeaders()
            ? Optional.of(
                new HeaderNames(envoy.limitHeader(), envoy.remainingHeader(), envoy.resetHeader()))
            : Optional.empty(),
        envoy.dynamicMetadata(),
        envoy.allOrNothing(),
        config.policy().failureMode(),
        config.policy().localNodes());
  }
}
