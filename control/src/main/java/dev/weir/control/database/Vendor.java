package dev.weir.control.database;

import java.util.Locale;
import java.util.Map;

/** Which database it is, and what its SQL calls things. */
public enum Vendor {
  /** In this process, in a file. */
  H2,
  /** A server, version 15 or newer. */
  POSTGRESQL;

  /** What stands for the placeholders of migrations that are for both. */
  Map<String, String> placeholders() {
    return switch (this) {
      case H2 ->
          Map.of(
              "cidr", "varchar",
              "inet", "varchar",
              "json", "varchar",
              "json_text", "varchar",
              "bytes", "varbinary",
              "stored", "",
              "partition_by_timestamp", "");
      case POSTGRESQL ->
          Map.of(
              "cidr", "cidr",
              "inet", "inet",
              "json", "jsonb",
              "json_text", "json",
              "bytes", "bytea",
              "stored", "stored",
              "partition_by_timestamp", "partition by range (timestamp)");
    };
  }

  /** The folder of its own migrations. */
  String folder() {
    return name().toLowerCase(Locale.ROOT);
  }
}
