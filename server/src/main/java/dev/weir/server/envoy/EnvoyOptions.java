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
 * @param quotaMode whether every descriptor counts as a quota
 * @param responseHeaders the header fields of answers; absent for none
 * @param dynamicMetadata whether answers tell what was asked, and the metadata of rules
 * @param whenOver what is counted of a request that a limit refuses
 * @param failureMode what happens when counters cannot be reached
 * @param localNodes among how many instances limits are divided in the mode {@code local}
 */
public record EnvoyOptions(
    boolean shadowMode,
    boolean quotaMode,
    Optional<HeaderNames> responseHeaders,
    boolean dynamicMetadata,
    WhenOver whenOver,
    FailureMode failureMode,
    int localNodes) {

  /** What is counted of a request that a limit refuses by itself. */
  public enum WhenOver {
    /** All of it, each descriptor by itself. */
    COUNT_ALL,
    /** The descriptors that are over their limits, and no others. */
    COUNT_OVER,
    /** Nothing. */
    COUNT_NOTHING
  }

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
      new EnvoyOptions(
          false, false, Optional.empty(), false, WhenOver.COUNT_ALL, FailureMode.LOCAL, 1);

  public EnvoyOptions {
    Objects.requireNonNull(responseHeaders, "responseHeaders");
    Objects.requireNonNull(whenOver, "whenOver");
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
        envoy.quotaMode(),
        envoy.responseHeaders()
            ? Optional.of(
                new HeaderNames(envoy.limitHeader(), envoy.remainingHeader(), envoy.resetHeader()))
            : Optional.empty(),
        envoy.dynamicMetadata(),
        whenOver(envoy),
        config.policy().failureMode(),
        config.policy().localNodes());
  }

  private static WhenOver whenOver(EnvoySettings envoy) {
    if (envoy.allOrNothing()) {
      return WhenOver.COUNT_NOTHING;
    }
    return envoy.stopWhenOver() ? WhenOver.COUNT_OVER : WhenOver.COUNT_ALL;
  }
}
