package dev.weir.server;

import dev.weir.TimeSource;
import dev.weir.control.ControlPlane;
import dev.weir.control.configuration.MergedPolicy;
import dev.weir.control.database.DatabaseException;
import dev.weir.control.journal.JournalException;
import dev.weir.policy.Client;
import dev.weir.policy.ClientList;
import dev.weir.policy.DecisionHealth;
import dev.weir.policy.Gate;
import dev.weir.policy.Policy;
import dev.weir.policy.config.Config;
import dev.weir.policy.config.ConfigFile;
import dev.weir.policy.event.LiveEventLog;
import dev.weir.server.metrics.Reading;
import dev.weir.server.metrics.ServerMetrics;
import dev.weir.server.traffic.KeptTraffic;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A running service. It reads its configuration again when the file changes, or when it is told to.
 * Thread-safe.
 */
public final class WeirServer implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(WeirServer.class.getName());
  private static final long PATIENCE_SECONDS = 20;

  private final TimeSource time;
  private final ConfigFile config;
  private final ListenAddress address;
  private final Counters counters;
  private final LiveEventLog events;
  private final ServerMetrics metrics;
  private final KeptTraffic traffic;
  private final Gate gate;
  private final ControlPlane control;
  private final EnvoyPart envoy;
  private final StatusService status;
  private final Routes routes;
  private final Sessions sessions;
  private final TokenAttempts attempts;
  private final CountDownLatch hurried = new CountDownLatch(1);
  private final ServerTimeouts timeouts;
  private final Connections connections;
  private final Vertx vertx;
  private volatile Live live;
  private @Nullable SecondHand secondHand;
  private int port;

  private WeirServer(
      ServerOptions options,
      TimeSource time,
      BiFunction<Config, TimeSource, Counters> counters,
      ServerTimeouts timeouts) {
    this.time = time;
    this.timeouts = timeouts;
    this.connections = new Connections(timeouts);
    this.config = configFile(options);
    Config first = config.current();
    this.address = ListenAddress.of(first.server(), options.port());
    this.counters = counters.apply(first, time);
    this.events = new LiveEventLog(first, time, hostName());
    Policy policy = Policy.compile(first.policy());
    this.metrics = new ServerMetrics(version(), policy, time);
    this.traffic = new KeptTraffic(first.traffic(), policy, time);
    DecisionHealth health = new DecisionHealth();
    this.control = controlPlane(first);
    this.gate =
        new Gate(
            policy,
            this.counters.store(),
            new ClientList(time),
            new ClientList(time),
            List.of(metrics, health, control, events, traffic));
    this.live = Live.of(first, null, control.knownClients(), time);
    this.envoy = new EnvoyPart(options, first, this.counters.store(), time);
    this.status = new StatusService(gate, this.counters, health, config, control, envoy, metrics);
    this.sessions = new Sessions(time);
    this.attempts = new TokenAttempts(time);
    this.routes = new Routes(() -> live, attempts, sessions, routes());
    this.vertx =
        Vertx.builder()
            .withTransport(ImpatientTransport.ofThisSystem(timeouts))
            .with(new VertxOptions().setEventLoopPoolSize(eventLoops()))
            .build();
  }

  private ControlPlane controlPlane(Config first) {
    try {
      return new ControlPlane(
          first.database(),
          first.policy(),
          first.audit(),
          new ControlPlane.Instance(
              Path.of(first.server().data()),
              LiveEventLog.serverId(first, hostName()),
              first.server().region(),
              counters::recalledRefusals,
              counters::askedDecisions,
              (user, used) -> gate.chargeQuota(Client.unknown().withUser(user), used)),
          time,
          this::use);
    } catch (JournalException | DatabaseException unusable) {
      counters.close();
      events.close();
      throw new StartException(
          "server.data: %s; each instance needs a folder of its own that it may write to"
              .formatted(unusable.getMessage()),
          unusable);
    }
  }

  /** Of the jar; unknown where there is none, as in tests. */
  private static String version() {
    String version = WeirServer.class.getPackage().getImplementationVersion();
    return version == null ? "unknown" : version;
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "localhost";
    }
  }

  private void connectMetrics() {
    metrics.read(Reading.ACTIVE_KEYS, counters::activeKeys);
    metrics.read(Reading.OVERFLOWED, counters::overflowed);
    metrics.read(Reading.CACHE_HITS, counters::recalledRefusals);
    metrics.read(Reading.CACHE_MISSES, counters::askedDecisions);
    metrics.read(Reading.AUDIT_QUEUE, () -> control.waiting() + events.waiting());
    metrics.read(Reading.AUDIT_DROPPED, () -> control.dropped() + events.lost());
    metrics.read(Reading.CONFIGURATION_VERSION, () -> control.state().version());
    metrics.read(Reading.CONFIGURATION_AGE, () -> control.age().toSeconds());
    config.onFailure(metrics::reloadFailed);
    metrics.degradedWhile(() -> !counters.report().isWhole());
    metrics.add(envoy::metrics);
  }

  private static int eventLoops() {
    return Runtime.getRuntime().availableProcessors();
  }

  private ConfigFile configFile(ServerOptions options) {
    Path file = options.config();
    return file == null
        ? ConfigFile.orBuiltIn(ServerOptions.USUAL_CONFIG, options.environment(), this::use)
        : new ConfigFile(file, options.environment(), this::use);
  }

  private List<Route> routes() {
    List<Route> all = new ArrayList<>();
    all.addAll(new CheckService(gate, () -> live).routes());
    all.addAll(new AuthService(gate, () -> live).routes());
    all.addAll(new AdminService(gate, () -> live, config, control, metrics).routes());
    all.addAll(new AdminOverview(gate, config, status, metrics).routes());
    all.addAll(new AdminEntries(control.entries(), time).routes());
    all.addAll(new AdminKeys(control.keys(), time).routes());
    all.addAll(new AdminQuotas(control.quotas(), time).routes());
    all.addAll(new AdminClients(gate, () -> live, control, metrics, time).routes());
    all.addAll(new AdminAudit(control).routes());
    all.addAll(new AdminPreview(gate, () -> live, control, traffic, time).routes());
    all.addAll(new AdminArchive(control.archive()).routes());
    all.addAll(new AdminTransfer(control.export(), gate).routes());
    all.addAll(new SessionService(() -> live, sessions, attempts, version(), hostName()).routes());
    all.addAll(new Dashboard().routes());
    all.addAll(status.routes());
    all.addAll(envoy.routes());
    return all;
  }

  /**
   * Starts a service, and returns when it answers.
   *
   * @throws dev.weir.policy.config.ConfigException if the configuration is wrong
   * @throws StartException if it cannot start for another reason
   */
  public static WeirServer start(ServerOptions options) {
    return start(options, TimeSource.system(), Counters::open, ServerTimeouts.defaults());
  }

  static WeirServer start(
      ServerOptions options,
      TimeSource time,
      BiFunction<Config, TimeSource, Counters> counters,
      ServerTimeouts timeouts) {
    WeirServer server = new WeirServer(options, time, counters, timeouts);
    try {
      server.listen();
      return server;
    } catch (RuntimeException failure) {
      server.close();
      throw failure;
    }
  }

  private void listen() {
    connectMetrics();
    control.start();
    GrpcCalls calls = new GrpcCalls(() -> live, attempts, envoy.service(), status::isReady);
    List<Listener> listeners = new ArrayList<>();
    DeploymentOptions each = new DeploymentOptions().setInstances(eventLoops());
    await(
        vertx.deployVerticle(
            () -> {
              Listener listener =
                  new Listener(address, routes, calls, connections, timeouts.drain());
              listeners.add(listener);
              return listener;
            },
            each));
    port = listeners.get(0).port();
    vertx.setPeriodic(timeouts.sweepInterval().toMillis(), ignored -> connections.sweep());
    secondHand = SecondHand.start(time, metrics::sample);
    config.watch(timeouts.filePollInterval());
    envoy.watch(timeouts.filePollInterval());
    for (String warning : config.current().warnings()) {
      LOGGER.log(System.Logger.Level.WARNING, warning);
    }
  }

  private <T> T await(Future<T> future) {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException failure) {
      throw startFailure(failure.getCause());
    } catch (TimeoutException late) {
      throw new StartException("no answer within " + PATIENCE_SECONDS + " s", late);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new StartException("interrupted", interrupted);
    }
  }

  private StartException startFailure(@Nullable Throwable cause) {
    if (cause instanceof IOException) {
      return new StartException(
          "server.listen: cannot listen on %s:%d: %s; is another weir running? --port takes another"
              .formatted(address.host(), address.port(), cause.getMessage()),
          cause);
    }
    return new StartException("server.listen: " + cause, cause == null ? new Exception() : cause);
  }

  /** Takes over a configuration: all of it, or, by throwing, nothing. */
  private void use(Config next) {
    Live before = live;
    Live after = Live.of(next, before, before.known(), time);
    try {
      events.use(next, before.config());
      try {
        control.fileChanged(next.policy(), next.audit());
      } catch (RuntimeException failure) {
        events.use(before.config(), next);
        throw failure;
      }
    } catch (RuntimeException failure) {
      if (after.tokens() != before.tokens()) {
        after.tokens().close();
      }
      throw failure;
    }
    envoy.use(next);
    traffic.use(next.traffic());
    live = after;
    before.retire(after);
  }

  /** Takes over a policy with what the database adds to it. */
  private void use(MergedPolicy next) {
    Policy policy = Policy.compile(next.policy());
    metrics.reloaded(policy);
    traffic.use(policy);
    gate.blocks().replaceAll(next.blocks());
    gate.exemptions().replaceAll(next.exemptions());
    gate.use(policy);
  }

  /** Reads the configuration again, and says in the log what came of it. */
  public void reload() {
    config.reloadAndLog();
  }

  /** Reads the configuration again at every SIGHUP. */
  public void reloadOnHangUp() {
    config.reloadOnHangUp();
  }

  /** The port that it listens on. */
  public int port() {
    return port;
  }

  /** One line that says what runs where. */
  public String summary() {
    String state =
        envoy.isReady()
            ? "weir is ready on %s"
            : "weir is on %s; not ready, since the rules for Envoy are wrong";
    return state.formatted(address.url(port))
        + "; policy %s (%s), counters in %s, database %s"
            .formatted(gate.policy().version(), config.source(), counters, control);
  }

  /** Its part for Envoy. */
  EnvoyPart envoy() {
    return envoy;
  }

  /** The connections that are open. */
  Connections connections() {
    return connections;
  }

  /** All that it answers to over HTTP. */
  List<Route> allRoutes() {
    return routes.all();
  }

  /**
   * Prepares the end, as {@code server.drain} says: readiness fails, callers are asked to leave
   * their connections, and all requests are served until load balancers have noticed. Returns when
   * that time is over, or at once after {@link #hurry}.
   */
  public void drain() {
    status.stopping();
    connections.drain();
    try {
      Duration drain = live.config().server().drain();
      boolean isHurried = hurried.await(drain.toNanos(), TimeUnit.NANOSECONDS);
      LOGGER.log(
          System.Logger.Level.DEBUG, isHurried ? "draining was cut short" : "draining is over");
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends {@link #drain}, now or later. */
  public void hurry() {
    hurried.countDown();
  }

  /** Stops: what is under way is answered, what listeners have to write is written. */
  @Override
  public void close() {
    status.stopping();
    if (secondHand != null) {
      secondHand.close();
    }
    config.close();
    envoy.close();
    try {
      vertx
          .close()
          .toCompletionStage()
          .toCompletableFuture()
          .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException unclean) {
      LOGGER.log(System.Logger.Level.WARNING, "not all connections could be closed", unclean);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    live.retire(null);
    // Decisions under way end with the counters; what they say is still recorded.
    counters.close();
    control.close();
    events.close();
  }
}
