package dev.weir.server.metrics;

import dev.weir.TimeSource;
import dev.weir.policy.Cause;
import dev.weir.policy.GateListener;
import dev.weir.policy.JsonText;
import dev.weir.policy.Outcome;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import dev.weir.policy.Tier;
import dev.weir.policy.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of the service. As a listener of the gate it counts decisions; the transports tell it
 * how long checks took, whoever loads policies how that went; what other parts count is read from
 * them. Thread-safe.
 *
 * <p>Endpoints and rules in a verdict are names of its policy, but a tier may be any text that a
 * token holds: it becomes a label only if the policy has a tier of that name.
 */
public final class ServerMetrics implements GateListener {
  /** Says what {@link #text} gives, for a Content-Type field. */
  public static final String CONTENT_TYPE = MetricsPage.CONTENT_TYPE;

  /** How many seconds {@link #putSeconds} knows of at most. */
  public static final int MOST_SECONDS = RecentSeconds.MOST;

  private static final System.Logger LOGGER = System.getLogger(ServerMetrics.class.getName());

  /** So long that no outage stays unseen, however short it is, if scrapes are a minute apart. */
  private static final long DEGRADED_MICROS = 60_000_000;

  /** So that requests do not all write to one place while counters are away. */
  private static final long DEGRADED_STEP_MICROS = 1_000_000;

  private static final double MICROS = 1e-6;
  private static final String NO_TIER = "";

  private final String version;
  private final TimeSource time;
  private final long startMicros;
  private final DecisionTable decisions = new DecisionTable();
  private final ShadowCounts shadows = new ShadowCounts();
  private final RuleCounts rules = new RuleCounts();
  private final CheckDurations durations = new CheckDurations();
  private final RecentSeconds seconds = new RecentSeconds();
  private final BusyClients busy;
  private final LongAdder missingClients = new LongAdder();
  private final LongAdder backendErrors = new LongAdder();
  private final LongAdder degradedRequests = new LongAdder();
  private final LongAdder reloads = new LongAdder();
  private final LongAdder failedReloads = new LongAdder();
  private final Map<Reading, LongSupplier> readings = new ConcurrentHashMap<>();
  private final List<MetricSource> sources = new CopyOnWriteArrayList<>();
  private final Set<Object> failedSources = ConcurrentHashMap.newKeySet();

  private volatile Map<String, String> tiers = Map.of();
  private volatile long loadedMicros;
  private volatile boolean isLastReloadWell = true;
  private volatile long lastDegradedMicros;
  private volatile BooleanSupplier areCountersAway = () -> false;

  /**
   * Metrics that are all zero.
   *
   * @param version of Weir
   * @param policy what holds at first
   * @param time the clock
   */
  public ServerMetrics(String version, Policy policy, TimeSource time) {
    this.version = Objects.requireNonNull(version, "version");
    this.time = Objects.requireNonNull(time, "time");
    this.startMicros = time.nowMicros();
    this.lastDegradedMicros = startMicros - DEGRADED_MICROS;
    this.busy = new BusyClients(time, BusyClients.HALF);
    sources.add(new ProcessMetrics());
    use(policy);
  }

  private void use(Policy policy) {
    Map<String, String> names = new HashMap<>();
    for (Tier tier : policy.definition().tiers()) {
      names.put(tier.name(), tier.name());
    }
    tiers = Map.copyOf(names);
    loadedMicros = time.nowMicros();
  }

  /** That policy was loaded; call it before the gate uses the policy. */
  public void reloaded(Policy policy) {
    use(policy);
    isLastReloadWell = true;
    reloads.increment();
  }

  /** A policy could not be loaded, and the one before stays. */
  public void reloadFailed() {
    isLastReloadWell = false;
    failedReloads.increment();
  }

  /** From now on that figure is read from there; it is 0 until then. */
  public void read(Reading reading, LongSupplier value) {
    readings.put(reading, value);
  }

  /** Adds metrics of another part. */
  public void add(MetricSource source) {
    sources.add(Objects.requireNonNull(source, "source"));
  }

  /**
   * Besides what verdicts tell, decisions are held as degraded while that is true. It is asked at
   * every scrape, and must neither wait nor throw.
   */
  public void degradedWhile(BooleanSupplier areCountersAway) {
    this.areCountersAway = Objects.requireNonNull(areCountersAway, "areCountersAway");
  }

  @Override
  public void decided(Verdict verdict, long latencyNanos) {
    durations.add(latencyNanos);
    Outcome outcome = verdict.outcome();
    String rule = outcome == Outcome.THROTTLED ? verdict.rule() : null;
    decisions.count(
        outcome, verdict.endpoint(), tierLabel(verdict.tier()), rule == null ? "" : rule);
    if (outcome != Outcome.ALLOWED) {
      busy.refused(verdict.request().client().id());
    }
    if (verdict.cause() == Cause.MISSING_CLIENT) {
      missingClients.increment();
    }
    if (verdict.isDegraded()) {
      degraded();
    }
    shadows.count(verdict.shadows());
    rules.count(verdict);
  }

  private String tierLabel(@Nullable String tier) {
    return tier == null ? NO_TIER : tiers.getOrDefault(tier, DecisionTable.OTHER);
  }

  private void degraded() {
    degradedRequests.increment();
    long now = time.nowMicros();
    if (now - lastDegradedMicros >= DEGRADED_STEP_MICROS) {
      lastDegradedMicros = now;
    }
  }

  @Override
  public void failed(Request request, Throwable failure) {
    backendErrors.increment();
  }

  private boolean isDegraded() {
    return time.nowMicros() - lastDegradedMicros < DEGRADED_MICROS
        || areCountersAway.getAsBoolean();
  }

  /**
   * All metrics as Prometheus reads them; see {@link #CONTENT_TYPE}. With as many series as there
   * may be it takes some milliseconds, so that a thread that answers requests should not do it.
   */
  public String text() {
    MetricsPage page = new MetricsPage();
    decisions.read().metrics().forEach(page::add);
    page.add(shadows.read());
    page.add(
        durations.read(
            "weir_rate_limit_check_duration_seconds",
            "Time to decide a request, counters included."));
    addCounters(page);
    addPolicy(page);
    for (Reading reading : Reading.values()) {
      LongSupplier value = readings.getOrDefault(reading, () -> 0);
      addQuietly(page, reading, () -> List.of(reading.metric(value.getAsLong())));
    }
    for (MetricSource source : sources) {
      addQuietly(page, source, source);
    }
    return page.toString();
  }

  private void addCounters(MetricsPage page) {
    page.add(
        Metric.counter(
            "weir_missing_client_total",
            "Requests of clients of which nothing is known.",
            missingClients.sum()));
    page.add(
        Metric.counter(
            "weir_rate_limit_backend_errors_total",
            "Requests for which the counters could not be reached.",
            backendErrors.sum()));
    page.add(
        Metric.counter(
            "weir_rate_limit_degraded_requests_total",
            "Requests that were decided without the counters that they belong to.",
            degradedRequests.sum()));
    page.add(
        Metric.gauge(
            "weir_rate_limit_degraded",
            "1 while requests are decided without their counters, and for a minute after.",
            isDegraded() ? 1 : 0));
  }

  private void addPolicy(MetricsPage page) {
    page.add(
        new Metric(
            "weir_policy_reloads_total",
            "How often a policy was loaded, or could not be, since the start.",
            Metric.Type.COUNTER,
            List.of(
                Metric.Sample.of(reloads.sum(), Labels.of("result", "success")),
                Metric.Sample.of(failedReloads.sum(), Labels.of("result", "failure")))));
    page.add(
        Metric.gauge(
            "weir_policy_last_reload_successful",
            "1 unless the last policy that came could not be loaded.",
            isLastReloadWell ? 1 : 0));
    page.add(
        Metric.gauge(
            "weir_policy_loaded_timestamp_seconds",
            "When the policy that holds was loaded, in seconds since the epoch.",
            loadedMicros * MICROS));
    page.add(
        new Metric(
            "weir_build_info",
            "Always 1; the label tells the version.",
            Metric.Type.GAUGE,
            List.of(Metric.Sample.of(1, Labels.of("version", version)))));
  }

  /** A part that fails must not take the metrics of all others with it. */
  private void addQuietly(MetricsPage page, Object key, MetricSource source) {
    try {
      source.read().forEach(page::add);
    } catch (RuntimeException failure) {
      if (failedSources.add(key)) {
        LOGGER.log(
            System.Logger.Level.WARNING,
            "metrics of " + key + " cannot be read and are left out; this is said once",
            failure);
      }
    }
  }

  /** Takes a sample, by which what happens is told second by second; called once in each. */
  public void sample() {
    seconds.sample(
        time.nowMicros(),
        decisions.totals(),
        durations.counts(),
        degradedRequests.sum(),
        areCountersAway.getAsBoolean());
  }

  /** Adds what happened in each of that many seconds up to the last full one. */
  public void putSeconds(JsonText text, int count) {
    seconds.put(text, time.nowMicros(), count);
    LongSupplier keys = readings.getOrDefault(Reading.ACTIVE_KEYS, () -> 0);
    text.put("active_keys", keys.getAsLong());
  }

  /** How often each rule of the policy had a say since the start, as one object of JSON. */
  public String rulesJson(Policy policy) {
    return StatsJson.ofRules(startMicros, policy, rules);
  }

  /** The clients that were refused most often of late. */
  public List<String> refusedClients(int most) {
    return busy.top(most).clients().stream().map(BusyClients.Busy::client).toList();
  }

  /** The figures that an administrator looks at first, as one object of JSON. */
  public String statsJson() {
    return StatsJson.of(startMicros, decisions.read(), busy, isDegraded(), backendErrors.sum());
  }
}
