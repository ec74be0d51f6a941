package dev.weir.spring;

import dev.weir.CounterStore;
import dev.weir.LimitStatus;
import dev.weir.TimeSource;
import dev.weir.http.Answer;
import dev.weir.http.HttpRequest;
import dev.weir.http.JwtTokens;
import dev.weir.http.RequestFacts;
import dev.weir.policy.Client;
import dev.weir.policy.ClientList;
import dev.weir.policy.DecisionHealth;
import dev.weir.policy.Gate;
import dev.weir.policy.GateListener;
import dev.weir.policy.KnownClients;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.Config;
import dev.weir.policy.event.LiveEventLog;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The rate limiting of an application: its policy, its counters, and who asks. The filters ask it,
 * and so may whatever else has requests to decide. Thread-safe.
 */
public final class RateLimits implements AutoCloseable {
  private static final int MOST_REJECTED = 10_000;

  private final RateLimitSource source;
  private final KnownClients known;
  private final TimeSource time;
  private final LiveEventLog events;
  private final Gate gate;
  private final DecisionHealth health = new DecisionHealth();
  private final Set<String> rejected = ConcurrentHashMap.newKeySet();
  private volatile Live live;

  /** What comes of a configuration; replaced as a whole when that changes. */
  private record Live(Config config, RequestFacts facts, JwtTokens tokens) {}

  RateLimits(
      RateLimitSource source,
      CounterStore store,
      KnownClients known,
      List<? extends GateListener> listeners,
      TimeSource time) {
    this.source = source;
    this.known = known;
    this.time = time;
    Config config = source.first();
    this.events = new LiveEventLog(config, time, hostName());
    List<GateListener> all = new ArrayList<>(listeners);
    all.add(events);
    all.add(health);
    this.gate =
        new Gate(
            Policy.compile(config.policy()),
            store,
            new ClientList(time),
            new ClientList(time),
            all);
    this.live = live(config);
    source.follow(this::use);
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "localhost";
    }
  }

  private Live live(Config config) {
    JwtTokens tokens = new JwtTokens(config.client(), time);
    return new Live(config, new RequestFacts(config.client(), tokens, known), tokens);
  }

  /** Takes over a configuration: all of it, or, by throwing, nothing. */
  private void use(Config next) {
    Policy policy = Policy.compile(next.policy());
    Live before = live;
    Live after = live(next);
    try {
      events.use(next, before.config);
    } catch (RuntimeException failure) {
      after.tokens.close();
      throw failure;
    }
    live = after;
    gate.use(policy);
    before.tokens.close();
  }

  /** Why the last change of the file did not take effect; null if it did, or there was none. */
  public @Nullable String problem() {
    RuntimeException failure = source.lastFailure();
    return failure == null ? null : String.valueOf(failure.getMessage());
  }

  /** Decides requests; also explains decisions, and knows who is blocked and exempt. */
  public Gate gate() {
    return gate;
  }

  /** Whether counters can be used, judged by the decisions of the last seconds. */
  public DecisionHealth health() {
    return health;
  }

  /** The configuration that holds. */
  public Config config() {
    return live.config;
  }

  /** Where the configuration comes from: {@code properties}, or a file. */
  public String source() {
    return source.name();
  }

  /**
   * Who asks for what.
   *
   * @throws MalformedRequestException if a part of the request cannot be understood
   */
  public Request request(HttpRequest request) {
    return live.facts.of(request);
  }

  /** The request of a user who has been authenticated. */
  public Request authenticated(Request request, String user) {
    Client client = request.client().withUser(countable(user));
    return request.withClient(known.complete(client));
  }

  /** The client that is that user. */
  public Client client(String user) {
    return known.complete(Client.unknown().withUser(countable(user)));
  }

  /**
   * The client with that name, as verdicts have it: {@code user:alice}, {@code key:…}, {@code
   * ip:192.0.2.1}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public Client named(String name) {
    return known.complete(Client.parse(name, live.config.client().ipv6Prefix()));
  }

  /** A name that cannot be counted by is replaced by one that stands for it alone. */
  private static String countable(String user) {
    return !user.isEmpty() && user.length() <= Client.MAX_LENGTH ? user : "sha256:" + sha256(user);
  }

  private static String sha256(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }

  /** Whether it has to be known who the user is before the request can be decided. */
  public boolean awaitsUser(Request request) {
    return request.client().user() == null && gate.policy().countsByUser(request);
  }

  /**
   * Refuses a request whose user is not known yet if too many requests from its address were
   * rejected before any user was known, see {@link #countRejected}.
   *
   * @return the refusal; null if the request may go on
   */
  public CompletionStage<@Nullable Verdict> refusalOfAddress(Request request) {
    String address = request.client().id();
    if (!rejected.contains(address)) {
      return CompletableFuture.completedStage(null);
    }
    return gate.peekAsync(request)
        .thenCompose(
            state -> {
              if (state.isAllowed()) {
                rejected.remove(address);
                return CompletableFuture.<@Nullable Verdict>completedStage(null);
              }
              return checkAsync(request).thenApply(verdict -> verdict.isAllowed() ? null : verdict);
            });
  }

  /**
   * Counts a request that was rejected before its user was known, by its address. When the address
   * has no more room, its next requests are refused before anybody looks at their credentials.
   */
  public CompletionStage<Verdict> countRejected(Request request) {
    return checkAsync(request)
        .thenApply(
            verdict -> {
              LimitStatus decisive = verdict.decisive();
              if (!verdict.isAllowed() || (decisive != null && decisive.remaining() == 0)) {
                remember(request.client().id());
              }
              return verdict;
            });
  }

  /** Forgetting costs one more attempt of each address. */
  private void remember(String address) {
    if (rejected.size() >= MOST_REJECTED) {
      rejected.clear();
    }
    rejected.add(address);
  }

  /** Decides a request; waits for the counters if they are elsewhere. */
  public Verdict check(Request request) {
    return gate.check(request);
  }

  /** Decides a request without holding a thread. */
  public CompletionStage<Verdict> checkAsync(Request request) {
    return gate.checkAsync(request);
  }

  /** Names the header fields that a verdict gives to a response. */
  public void fields(Verdict verdict, BiConsumer<String, String> fields) {
    Answer.fields(verdict, live.config.response(), fields);
  }

  /** What a verdict says over HTTP. */
  public Answer answer(Verdict verdict) {
    return Answer.to(verdict, live.config.response());
  }

  /** What is said over HTTP about a request that cannot be understood. */
  public Answer answer(MalformedRequestException mistake) {
    return Answer.to(mistake, live.config.response());
  }

  @Override
  public void close() {
    source.close();
    live.tokens.close();
    events.close();
  }
}
