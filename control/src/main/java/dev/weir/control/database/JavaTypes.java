package dev.weir.control.database;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.argument.AbstractArgumentFactory;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.spi.JdbiPlugin;
import org.jspecify.annotations.Nullable;

/**
 * How Java's types get into the database and out of it, in a way that both drivers understand and
 * that does not depend on the time zone of anybody.
 */
final class JavaTypes implements JdbiPlugin {

  @Override
  public void customizeJdbi(Jdbi jdbi) {
    jdbi.registerArrayType(String.class, "varchar");
    jdbi.registerArgument(new InstantArgument());
    jdbi.registerArgument(new DateArgument());
    jdbi.registerColumnMapper(Instant.class, (row, column, context) -> instant(row, column));
    jdbi.registerColumnMapper(
        LocalDate.class, (row, column, context) -> row.getObject(column, LocalDate.class));
  }

  private static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  private static final class InstantArgument extends AbstractArgumentFactory<Instant> {
    InstantArgument() {
      super(Types.TIMESTAMP_WITH_TIMEZONE);
    }

    /** Cut to microseconds, which is what a column has room for; drivers would round. */
    @Override
    protected Argument build(Instant value, ConfigRegistry config) {
      OffsetDateTime time = value.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
      return (position, statement, context) -> statement.setObject(position, time);
    }
  }

  private static final class DateArgument extends AbstractArgumentFactory<LocalDate> {
    DateArgument() {
      super(Types.DATE);
    }

    @Override
    protected Argument build(LocalDate value, ConfigRegistry config) {
      return (position, statement, context) -> statement.setObject(position, value);
    }
  }
}
