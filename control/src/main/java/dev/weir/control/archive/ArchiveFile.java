package dev.weir.control.archive;

import dev.weir.control.database.MonthlyTable;
import java.time.YearMonth;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of the archive, by what is in it.
 *
 * @param table whose rows
 * @param month of which month
 * @param part counts from 1; later ones have what came late
 */
record ArchiveFile(MonthlyTable table, YearMonth month, int part) {
  private static final Pattern NAME =
      Pattern.compile(
          "[a-z_]+/year=[0-9]{4}/month=[0-9]{2}/([a-z_]+)-([0-9]{4})-([0-9]{2})-([0-9]{4,9})[.]parquet");

  /** Its path below the place of the archive, with slashes. */
  String name() {
    return String.format(
        Locale.ROOT,
        "%s/year=%04d/month=%02d/%1$s-%2$04d-%3$02d-%04d.parquet",
        table.table(),
        month.getYear(),
        month.getMonthValue(),
        part);
  }

  /** The file that has such a name; nothing for what is none of ours. */
  static Optional<ArchiveFile> of(String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int month = Integer.parseInt(matcher.group(3));
    if (month < 1 || month > 12) {
      return Optional.empty();
    }
    for (MonthlyTable table : MonthlyTable.values()) {
      ArchiveFile file =
          new ArchiveFile(
              table,
              YearMonth.of(Integer.parseInt(matcher.group(2)), month),
              Integer.parseInt(matcher.group(4)));
      // All of the name has to say the same.
      if (file.name().equals(name)) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }
}
