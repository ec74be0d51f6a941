package dev.weir.policy.config;

/**
 * The section {@code [envoy]}: the rate limit service for Envoy.
 *
 * @param config the folder with the rules of envoyproxy/ratelimit; empty for none
 * @param shadowMode whether everything passes, however it was decided
 * @param quotaMode whether every limit is a quota, so that a request is refused only if all of its
 *     limits are used up
 * @param responseHeaders whether answers carry header fields
 * @param limitHeader the name of the field with the limit
 * @param remainingHeader the name of the field with what remains
 * @param resetHeader the name of the field with the seconds until the limit resets
 * @param dynamicMetadata whether answers carry what was asked and the metadata of rules
 * @param mergeDomains whether several files may be about one domain
 * @param stopWhenOver whether a request that a limit refuses is counted there only
 * @param allOrNothing whether a refused request consumes nothing of any of its limits
 */
public record EnvoySettings(
    String config,
    boolean shadowMode,
    boolean quotaMode,
    boolean responseHeaders,
    String limitHeader,
    String remainingHeader,
    String resetHeader,
    boolean dynamicMetadata,
    boolean mergeDomains,
    boolean stopWhenOver,
    boolean allOrNothing) {}
