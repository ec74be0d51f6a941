package dev.weir.conformance;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;

/** What came back for a request. */
sealed interface Reply {

  /** An answer of the service. */
  record Answer(RateLimitResponse response) implements Reply {}

  /** An error of gRPC. */
  record Failure(String code, String message) implements Reply {}
}
