package dev.weir.control.rows;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What columns hold, in a way that both drivers understand. */
public final class Columns {
  private Columns() {}

  /**
   * Whether a text can be in a column at all: NUL cannot, nor can halves of a pair of surrogates. A
   * statement that has such a text fails as if the database did.
   */
  public static boolean isStorable(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0 || Character.isLowSurrogate(c)) {
        return false;
      }
      if (Character.isHighSurrogate(c)) {
        i++;
        if (i == text.length() || !Character.isLowSurrogate(text.charAt(i))) {
          return false;
        }
      }
    }
    return true;
  }

  /** What SQL's {@code like … escape '!'} finds a text by, wherever it is; in lower case. */
  public static String containing(String text) {
    String plain =
        text.toLowerCase(Locale.ROOT).replace("!", "!!").replace("%", "!%").replace("_", "!_");
    return "%" + plain + "%";
  }

  /** A whole number. */
  public static @Nullable Long number(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : value;
  }

  /** An instant. */
  public static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  /** An instant that is always there. */
  public static Instant time(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  /** A text that is always there. */
  public static String text(ResultSet row, String column) throws SQLException {
    return String.valueOf(row.getString(column));
  }

  /** A text that many rows have: one object for all of them. */
  public static @Nullable String name(ResultSet row, String column) throws SQLException {
    String name = row.getString(column);
    return name == null ? null : name.intern();
  }

  /** Texts; none if there is no array. */
  public static List<String> texts(ResultSet row, String column) throws SQLException {
    Array array = row.getArray(column);
    List<String> texts = new ArrayList<>();
    if (array != null) {
      for (Object each : (Object[]) array.getArray()) {
        texts.add(String.valueOf(each));
      }
    }
    return texts;
  }
}
