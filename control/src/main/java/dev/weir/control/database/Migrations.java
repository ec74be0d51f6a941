package dev.weir.control.database;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationInfoService;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.logging.LogFactory;

/** Brings a schema up to date. */
final class Migrations {
  private static final String FOLDER = "classpath:dev/weir/control/database/";
  private static final String HISTORY = "schema_history";
  private static final String NEWEST = "latest";

  static {
    LogFactory.setLogCreator(new MigrationLog());
  }

  private final DatabaseAddress address;
  private final String target;

  private Migrations(DatabaseAddress address, String target) {
    this.address = address;
    this.target = target;
  }

  /** To the newest version; returns it. */
  static String migrate(DatabaseAddress address) {
    return migrate(address, NEWEST);
  }

  /** To some version; returns it. */
  static String migrate(DatabaseAddress address, String target) {
    try {
      return new Migrations(address, target).run();
    } catch (FlywayException e) {
      throw DatabaseException.cannot("bring the schema up to date in", address, e);
    }
  }

  private String run() {
    // Most starts find nothing to do, and must not wait long to find that out.
    Flyway glance = flyway(address.forCalls());
    MigrationInfoService info = glance.info();
    MigrationInfo[] all = info.all();
    requireKnown(all);
    boolean isUpToDate =
        Arrays.stream(all).noneMatch(each -> isState(each, MigrationState.PENDING))
            && Arrays.stream(all).noneMatch(each -> each.getState().isFailed());
    if (isUpToDate) {
      glance.validate();
      return current(info);
    }
    Flyway flyway = flyway(address.forLongWork());
    if (Arrays.stream(all).anyMatch(each -> each.getState().isFailed())) {
      // Only where a change of the schema is not undone, on H2; there all of them can be repeated.
      flyway.repair();
    }
    flyway.migrate();
    return current(flyway.info());
  }

  private void requireKnown(MigrationInfo[] all) {
    String known = "none";
    for (MigrationInfo each : all) {
      if (isState(each, MigrationState.FUTURE_SUCCESS)
          || isState(each, MigrationState.FUTURE_FAILED)) {
        throw new DatabaseException(
            "the schema of %s has version %s, and this program knows versions up to %s; run a newer one"
                .formatted(address, each.getVersion(), known));
      }
      known = each.getVersion().getVersion();
    }
  }

  private static boolean isState(MigrationInfo migration, MigrationState state) {
    return migration.getState() == state;
  }

  private static String current(MigrationInfoService info) {
    MigrationInfo current = info.current();
    return current == null ? "none" : current.getVersion().getVersion();
  }

  private Flyway flyway(Properties properties) {
    Map<String, String> options = new HashMap<>();
    properties
        .stringPropertyNames()
        .forEach(name -> options.put(name, properties.getProperty(name)));
    String user = options.remove("user");
    String password = options.remove("password");
    return Flyway.configure()
        .dataSource(address.url(), user, password)
        .jdbcProperties(options)
        .locations(FOLDER + "common", FOLDER + address.vendor().folder())
        .failOnMissingLocations(true)
        .placeholders(address.vendor().placeholders())
        .table(HISTORY)
        .target(target)
        .cleanDisabled(true)
        .load();
  }
}
