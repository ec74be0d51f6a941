package dev.weir.policy.config;

import dev.weir.Limit;
import dev.weir.policy.PolicyDefinition;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Reads tiers, endpoints and rules that are not in {@code weir.toml}, but written as there. They
 * are read as the file is, so that what is right or wrong is the same for both. The environment has
 * no part in it.
 */
public final class PartsReader {
  private final KnownNames names;
  private final Limit defaultLimit;

  private PartsReader(KnownNames names, Limit defaultLimit) {
    this.names = names;
    this.defaultLimit = defaultLimit;
  }

  /**
   * Reads parts without knowing the others: they may refer to names that nobody in the text has
   * given.
   *
   * @param defaultLimit the limit of tiers that give none
   */
  public static PartsReader alone(Limit defaultLimit) {
    return new PartsReader(KnownNames.open(), defaultLimit);
  }

  /** Reads all parts that there are besides those of a file, whose names they must not give. */
  public static PartsReader besides(PolicyDefinition file) {
    return new PartsReader(KnownNames.of(file), file.defaultLimit());
  }

  /**
   * Reads a text. For one text: what it names is known afterwards.
   *
   * @param file what the text is called in mistakes
   * @param others who reads arrays of tables that are something else, by their names; they are
   *     called for one table after the other
   * @throws ConfigException with all mistakes
   */
  public PolicyParts read(String text, String file, Map<String, Consumer<OtherTable>> others) {
    Source source = new Source(file, Map.of());
    Section root = ConfigReader.parsed(text, source);
    PolicyParts parts = new PolicyReader(source, root, names).readParts(defaultLimit);
    others.forEach(
        (table, reader) ->
            root.sections(table).forEach(section -> reader.accept(new OtherTable(section))));
    root.finish();
    source.throwIfWrong();
    return new PolicyParts(
        parts.tiers(), parts.endpoints(), parts.rules(), source.warningsWithPlaces());
  }
}
