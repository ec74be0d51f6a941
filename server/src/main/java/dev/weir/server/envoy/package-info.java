/**
 * Envoy's rate limit service: the rules of envoyproxy/ratelimit, read from its own YAML files, on
 * Weir's counters.
 *
 * <p>Start at {@link dev.weir.server.envoy.RateLimitDecider}, which takes a request to its answer.
 * {@link dev.weir.server.envoy.EnvoyConfigFolder} gives it rules, {@link
 * dev.weir.server.envoy.EnvoyRateLimitService} brings it requests over gRPC, and {@link
 * dev.weir.server.envoy.EnvoyJson} over HTTP. Only the former of these two knows Vert.x.
 */
@NullMarked
package dev.weir.server.envoy;

import org.jspecify.annotations.NullMarked;
