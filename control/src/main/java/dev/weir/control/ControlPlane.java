package dev.weir.control;

import dev.weir.TimeSource;
import dev.weir.control.archive.Archive;
import dev.weir.control.archive.ArchiveSchedule;
import dev.weir.control.audit.AdminAuditQueries;
import dev.weir.control.audit.AuditObserver;
import dev.weir.control.audit.AuditQueries;
import dev.weir.control.audit.AuditSink;
import dev.weir.control.change.ChangeFeed;
import dev.weir.control.change.Changes;
import dev.weir.control.configuration.ConfigurationExport;
import dev.weir.control.configuration.ConfigurationState;
import dev.weir.control.configuration.ConfigurationStore;
import dev.weir.control.configuration.ConfigurationWatch;
import dev.weir.control.configuration.MergedPolicy;
import dev.weir.control.database.Database;
import dev.weir.control.database.DatabaseException;
import dev.weir.control.journal.JournalOptions;
import dev.weir.control.journal.JournalStatistics;
import dev.weir.control.keys.KeyStore;
import dev.weir.control.keys.StoredKeys;
import dev.weir.control.outbox.Delivery;
import dev.weir.control.outbox.DeliveryStatistics;
import dev.weir.control.outbox.Outbox;
import dev.weir.control.quotas.QuotaStore;
import dev.weir.control.quotas.StoredUsers;
import dev.weir.control.rollup.RollupObserver;
import dev.weir.control.rollup.RollupQueries;
import dev.weir.control.rollup.RollupSink;
import dev.weir.control.rows.CacheOptions;
import dev.weir.control.usage.UsageCounts;
import dev.weir.control.usage.UsageDrain;
import dev.weir.control.usage.UsageSink;
import dev.weir.policy.GateListener;
import dev.weir.policy.KnownClients;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.AuditSettings;
import dev.weir.policy.config.DatabaseSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What operators configure and look back at, of one instance. Decisions never wait for it: they go
 * on with what is in memory when the database is slow or gone, from the start on if need be.
 * Thread-safe.
 */
public final class ControlPlane implements GateListener, AutoCloseable {
  private final String name;
  private final Database database;
  private final Changes changes;
  private final ChangeFeed feed;
  private final ConfigurationWatch configuration;
  private final ConfigurationStore entries;
  private final ConfigurationExport export;
  private final KeyStore keys;
  private final StoredKeys knownKeys;
  private final QuotaStore quotas;
  private final StoredUsers knownUsers;
  private final Outbox outbox;
  private final Delivery delivery;
  private final AuditObserver audit;
  private final RollupObserver rollup;
  private final UsageCounts usage;
  private final UsageDrain usageDrain;
  private final Archive archive;
  private final ArchiveSchedule archiveSchedule;
  private final Instant started = Instant.now();
  private volatile AuditSettings auditSettings;

  /**
   * What it needs to know of its instance.
   *
   * @param data the folder for what it keeps on disk
   * @param serverId the name of the instance
   * @param region where it is
   * @param cacheHits how many decisions were recalled instead of asked for, since the start
   * @param cacheMisses how many were asked for
   * @param charge charges counters that live in the instance with what was used before its start
   */
  public record Instance(
      Path data,
      String serverId,
      String region,
      LongSupplier cacheHits,
      LongSupplier cacheMisses,
      StoredUsers.MonthCharge charge) {}

  /**
   * A control plane that has not started.
   *
   * @param database where it keeps things
   * @param file the policy of the file
   * @param audit which decisions are kept
   * @param user is given every policy that holds from then on; if it throws, the one before stays
   * @throws dev.weir.control.journal.JournalException if the data folder cannot be used
   */
  public ControlPlane(
      DatabaseSettings database,
      PolicyDefinition file,
      AuditSettings audit,
      Instance instance,
      TimeSource time,
      Consumer<MergedPolicy> user) {
    this.outbox = Outbox.open(instance.data.resolve("journal"), JournalOptions.defaults());
    this.database = Database.openInBackground(database, instance.data);
    this.name =
        database.url().isEmpty() ? "embedded in " + instance.data : this.database.toString();
    this.changes = new Changes(this.database, time);
    this.feed = new ChangeFeed(this.database);
    this.configuration = new ConfigurationWatch(this.database, file, instance.data, user);
    this.entries = new ConfigurationStore(this.database, changes, configuration::file);
    this.keys = new KeyStore(this.database, changes);
    this.quotas = new QuotaStore(this.database, changes, time);
    this.export =
        new ConfigurationExport(
            this.database,
            changes,
            configuration::file,
            List.of(Exports.ofQuotas(quotas), Exports.ofKeys()));
    CacheOptions cache = CacheOptions.defaults();
    this.knownKeys = new StoredKeys(this.database, cache, time);
    this.knownUsers = new StoredUsers(this.database, cache, time, instance.charge);
    this.audit = new AuditObserver(outbox, audit, time, instance.serverId, instance.region);
    this.rollup =
        new RollupObserver(outbox, time, instance.region, instance.cacheHits, instance.cacheMisses);
    this.usage = new UsageCounts(time);
    this.usageDrain = new UsageDrain(usage, outbox::put, UsageDrain.INTERVAL);
    this.delivery =
        new Delivery(
            outbox,
            this.database,
            instance.serverId,
            List.of(new AuditSink(this.database), new RollupSink(this.database), new UsageSink()));
    this.auditSettings = audit;
    this.archive = new Archive(this.database, () -> auditSettings, time);
    this.archiveSchedule = ArchiveSchedule.start(archive, time);
  }

  /**
   * Starts. When this returns, the user has been given a policy: with what the database says if it
   * answers soon, else with what it said last.
   */
  public void start() {
    configuration.follow(feed);
    feed.listen(knownKeys::changed);
    feed.listen(knownUsers::changed);
    changes.onChange(this::takeOver);
    configuration.start();
    feed.start();
  }

  /** What was changed here holds here when whoever changed it hears of that. */
  private void takeOver() {
    configuration.load();
    try {
      feed.look();
    } catch (DatabaseException gone) {
      feed.wake();
    }
  }

  /**
   * Takes over what the file says now.
   *
   * @throws dev.weir.policy.config.ConfigException if that and the database are wrong together;
   *     then all stays as it was
   */
  public void fileChanged(PolicyDefinition file, AuditSettings settings) {
    configuration.fileChanged(file);
    auditSettings = settings;
    audit.use(settings);
  }

  /** Records a decision: in the audit, the roll-ups and the usage of quotas and keys. */
  @Override
  public void decided(Verdict verdict, long latencyNanos) {
    audit.decided(verdict, latencyNanos);
    rollup.decided(verdict, latencyNanos);
    usage.decided(verdict, latencyNanos);
  }

  /** What is known of keys and users. */
  public KnownClients knownClients() {
    return new KnownClients(knownKeys, knownUsers);
  }

  /** Rules, tiers, endpoints, blocks and exemptions. */
  public ConfigurationStore entries() {
    return entries;
  }

  /** All of it as one text. */
  public ConfigurationExport export() {
    return export;
  }

  /** API keys. */
  public KeyStore keys() {
    return keys;
  }

  /** What users may do, and have done. */
  public QuotaStore quotas() {
    return quotas;
  }

  /** Decisions that were kept. */
  public AuditQueries audit() {
    return new AuditQueries(database);
  }

  /** What admins have done. */
  public AdminAuditQueries acts() {
    return new AdminAuditQueries(database);
  }

  /** What happened in each minute, hour and day. */
  public RollupQueries history() {
    return new RollupQueries(database);
  }

  /** Months that are past retention. */
  public Archive archive() {
    return archive;
  }

  /** Takes over what the database says now, also rows that were changed by hand. */
  public void refresh() {
    takeOver();
    knownKeys.readAll();
    knownUsers.readAll();
  }

  /** Which configuration holds, and when it was last known to be what the database says. */
  public ConfigurationState state() {
    // In this order: what a look has found is told before the look is known here.
    ChangeFeed.Look look = feed.lastLook();
    boolean isUpToDate = configuration.isUpToDate();
    ConfigurationState state = configuration.state();
    return look != null && isUpToDate
        ? state.seen(look.version(), look.at(), feed.problem())
        : state;
  }

  /** How long ago that was; if it never was, how long ago this instance started. */
  public Duration age() {
    Instant asOf = state().asOf();
    Duration age = Duration.between(asOf == null ? started : asOf, Instant.now());
    return age.isNegative() ? Duration.ZERO : age;
  }

  /** Whether the database could be read when that was last tried. */
  public boolean isReachable() {
    boolean wasRead = feed.lastLook() != null || configuration.state().isCurrent();
    return wasRead && feed.problem() == null;
  }

  /** How many records of decisions wait for being in the database. */
  public long waiting() {
    return outbox.waiting();
  }

  /** How many records of decisions were lost since the start. */
  public long dropped() {
    return outbox.dropped() + rollup.dropped() + delivery.statistics().setAside();
  }

  /** Why records of decisions do not get into the database now, or not even to disk. */
  public Optional<String> problem() {
    JournalStatistics journal = outbox.statistics();
    if (journal.isFailing()) {
      return journal.lastFailure().map(why -> "the journal cannot be written: " + why);
    }
    DeliveryStatistics now = delivery.statistics();
    return now.lastFailure().filter(why -> now.isFailing());
  }

  /** Where the database is, without secrets. */
  @Override
  public String toString() {
    return name;
  }

  /** Ends: what was decided is on disk then, and in the database if that can be reached. */
  @Override
  public void close() {
    archiveSchedule.close();
    feed.close();
    configuration.close();
    knownKeys.close();
    knownUsers.close();
    usageDrain.close();
    rollup.close();
    delivery.close();
    outbox.close();
    database.close();
  }
}
