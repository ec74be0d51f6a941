package dev.weir.control.database;

import org.flywaydb.core.api.logging.Log;
import org.flywaydb.core.api.logging.LogCreator;
import org.jspecify.annotations.Nullable;

/**
 * What Flyway says while it works. Failures are thrown, so all of it is for those who look for a
 * mistake in migrations; at each start it would warn of an H2 that it does not know yet.
 */
final class MigrationLog implements LogCreator, Log {
  private static final System.Logger LOGGER = System.getLogger(Migrations.class.getName());

  @Override
  public Log createLogger(Class<?> type) {
    return this;
  }

  @Override
  public void debug(String message) {
    LOGGER.log(System.Logger.Level.TRACE, message);
  }

  @Override
  public void info(String message) {
    LOGGER.log(System.Logger.Level.DEBUG, message);
  }

  @Override
  public void warn(String message) {
    LOGGER.log(System.Logger.Level.DEBUG, message);
  }

  @Override
  public void error(String message) {
    LOGGER.log(System.Logger.Level.DEBUG, message);
  }

  @Override
  public void error(String message, @Nullable Exception failure) {
    LOGGER.log(System.Logger.Level.DEBUG, message, failure);
  }

  @Override
  public void notice(String message) {
    LOGGER.log(System.Logger.Level.DEBUG, message);
  }
}
