package dev.weir.server;

import dev.weir.TimeSource;
import dev.weir.http.JwtTokens;
import dev.weir.http.RequestFacts;
import dev.weir.policy.Client;
import dev.weir.policy.KnownClients;
import dev.weir.policy.Request;
import dev.weir.policy.config.ClientSettings;
import dev.weir.policy.config.Config;
import dev.weir.policy.config.ResponseSettings;
import org.jspecify.annotations.Nullable;

/**
 * What transports need of the configuration that holds; replaced as a whole when that changes.
 *
 * @param config the configuration
 * @param facts finds out who asks
 * @param tokens verifies tokens for it
 * @param guard knows who may ask what
 * @param known what is known of keys and users
 */
record Live(Config config, RequestFacts facts, JwtTokens tokens, Guard guard, KnownClients known) {

  /**
   * What comes of a configuration.
   *
   * @param before what held until now; tokens that were verified need not be verified again if
   *     nothing about them has changed
   * @throws IllegalArgumentException if keys of tokens cannot be had
   */
  static Live of(Config config, @Nullable Live before, KnownClients known, TimeSource time) {
    ClientSettings settings = config.client();
    JwtTokens tokens =
        before != null && before.config.client().equals(settings)
            ? before.tokens
            : new JwtTokens(settings, time);
    return new Live(
        config,
        new RequestFacts(settings, tokens, known),
        tokens,
        new Guard(config.server()),
        known);
  }

  ResponseSettings response() {
    return config.response();
  }

  /** The request with all that is known of its client. */
  Request completed(Request request) {
    Client client = known.complete(request.client());
    return client == request.client() ? request : request.withClient(client);
  }

  /** Ends what {@code next} does not go on with. */
  void retire(@Nullable Live next) {
    if (next == null || next.tokens != tokens) {
      tokens.close();
    }
  }
}
