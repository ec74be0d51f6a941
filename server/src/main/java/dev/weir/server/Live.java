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
import java.util.concurrent.CompletionStage;
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
    return withClient(request, known.complete(request.client()));
  }

  /**
   * The request with all that is known of its client and of the key that was presented for it.
   *
   * @throws dev.weir.policy.MalformedRequestException if the key is not valid
   */
  Request completed(Request request, @Nullable PresentedKey presented) {
    return withClient(request, completed(request.client(), presented));
  }

  /** As {@link #completed(Request, PresentedKey)}, of the client alone. */
  Client completed(Client client, @Nullable PresentedKey presented) {
    return presented == null || !presented.isToVerify(known.keys())
        ? known.complete(client)
        : known.complete(client, presented.verified(known.keys(), client.key()));
  }

  private static Request withClient(Request request, Client client) {
    return client == request.client() ? request : request.withClient(client);
  }

  /**
   * Whether waiting a little would help {@link #completed(Client, PresentedKey)}.
   *
   * @return completes, always well; null if nothing would be gained
   */
  @Nullable CompletionStage<?> awaited(Client client, @Nullable PresentedKey presented) {
    if (presented == null) {
      return known.awaited(known.complete(client));
    }
    String secret = presented.secret();
    CompletionStage<?> key = known.keys().awaited(secret);
    return key == null
        ? awaitedUser(client, secret)
        : KnownClients.inTurn(key, () -> awaitedUser(client, secret));
  }

  private @Nullable CompletionStage<?> awaitedUser(Client client, String secret) {
    return known.awaitedUser(known.complete(client, known.keys().find(secret)));
  }

  /** Ends what {@code next} does not go on with. */
  void retire(@Nullable Live next) {
    if (next == null || next.tokens != tokens) {
      tokens.close();
    }
  }
}
