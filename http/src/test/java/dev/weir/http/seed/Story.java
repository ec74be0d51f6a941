package dev.weir.http.seed;

import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.TimeSource;
import dev.weir.http.Answer;
import dev.weir.http.HttpRequest;
import dev.weir.http.RequestFacts;
import dev.weir.http.Tokens;
import dev.weir.policy.ApiKeys;
import dev.weir.policy.Client;
import dev.weir.policy.ClientList;
import dev.weir.policy.Gate;
import dev.weir.policy.Headers;
import dev.weir.policy.Policy;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.Config;
import dev.weir.policy.config.ConfigReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A policy with a clock, told step by step: who asks for what, when, and what is answered. */
final class Story {
  final ManualTime time = TimeSource.manual(Instant.parse("2026-01-01T12:00:00Z"));
  final Config config;
  final Gate gate;
  private final RequestFacts facts;

  private Story(Config config) {
    this.config = config;
    this.gate =
        new Gate(
            Policy.compile(config.policy()),
            new MemoryCounterStore(time, 10_000),
            new ClientList(time),
            List.of());
    this.facts = new RequestFacts(config.client(), Story::holder, ApiKeys.none());
  }

  static Story of(String toml) {
    return new Story(ConfigReader.parse(toml, "weir.toml", Map.of()));
  }

  static Story builtIn(Map<String, String> environment) {
    return new Story(ConfigReader.builtIn(environment));
  }

  /** In these stories a token says who somebody is, and is believed: {@code alice/premium}. */
  private static Tokens.@Nullable Holder holder(@Nullable String token, Client sender) {
    if (token == null) {
      return null;
    }
    int slash = token.indexOf('/');
    return slash < 0
        ? new Tokens.Holder(token, null)
        : new Tokens.Holder(token.substring(0, slash), token.substring(slash + 1));
  }

  Verdict ask(String method, String path, @Nullable String address, @Nullable String token) {
    Headers headers =
        token == null ? Headers.none() : Headers.of(Map.of("Authorization", "Bearer " + token));
    return gate.check(facts.of(new HttpRequest(method, path, address, headers)));
  }

  Verdict user(String token, String path) {
    return ask("GET", path, "203.0.113.7", token);
  }

  Verdict address(String address, String path) {
    return ask("GET", path, address, null);
  }

  Answer answer(Verdict verdict) {
    return Answer.to(verdict, config.response());
  }

  void pass(Duration duration) {
    time.advance(duration);
  }

  /** How many of so many requests in a row pass. */
  int allowed(int requests, Supplier<Verdict> request) {
    int allowed = 0;
    for (int i = 0; i < requests; i++) {
      allowed += request.get().isAllowed() ? 1 : 0;
    }
    return allowed;
  }
}
