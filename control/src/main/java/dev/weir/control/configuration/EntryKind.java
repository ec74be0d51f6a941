package dev.weir.control.configuration;

/** What can be configured, each by a name of its own. */
public enum EntryKind {
  /** {@code [[tier]]}. */
  TIER("tier", "tier", "tiers", "tier_name"),
  /** {@code [[endpoint]]}. */
  ENDPOINT("endpoint", "endpoint", "endpoints", "endpoint_name"),
  /** {@code [[rule]]}. */
  RULE("rule", "rule", "rate_limit_rules", "rule_name"),
  /** {@code [[exempt]]}: a client that is never counted. */
  EXEMPTION("exemption", "exempt", "exemptions", "client"),
  /** {@code [[block]]}: a client that is refused. */
  BLOCK("block", "block", "blocks", "client");

  private final String word;
  private final String tomlTable;
  private final String table;
  private final String nameColumn;

  EntryKind(String word, String tomlTable, String table, String nameColumn) {
    this.word = word;
    this.tomlTable = tomlTable;
    this.table = table;
    this.nameColumn = nameColumn;
  }

  /** What one of them is called, as in subjects and acts: {@code rule}. */
  public String word() {
    return word;
  }

  /** The key that names one in its document: {@code name}, or {@code client}. */
  public String nameKey() {
    return isListed() ? "client" : "name";
  }

  /** Whether it is a client on a list, and no part of a policy. */
  public boolean isListed() {
    return this == BLOCK || this == EXEMPTION;
  }

  /** The name of its tables in TOML. */
  String tomlTable() {
    return tomlTable;
  }

  /** Its table in the database. */
  String table() {
    return table;
  }

  String nameColumn() {
    return nameColumn;
  }

  Columns columns() {
    return switch (this) {
      case TIER -> TierColumns.INSTANCE;
      case ENDPOINT -> EndpointColumns.INSTANCE;
      case RULE -> RuleColumns.INSTANCE;
      case EXEMPTION -> ClientColumns.OF_EXEMPTIONS;
      case BLOCK -> ClientColumns.OF_BLOCKS;
    };
  }

  /** Such as {@code rule:api_v1}. */
  String subject(String name) {
    return word + ":" + name;
  }
}
