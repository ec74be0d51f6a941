package dev.weir.control.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.control.change.ChangeRefused;
import dev.weir.control.quotas.QuotaSettings;
import dev.weir.control.quotas.QuotaStore;
import dev.weir.control.quotas.QuotaTables;
import dev.weir.control.rows.CacheOptions;
import dev.weir.control.rows.Imported;
import dev.weir.control.rows.StoreContract;
import dev.weir.control.testing.Databases;
import dev.weir.policy.TomlText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlTable;

/** Keys and quotas in an export and back again, on every database. */
abstract class TablesContract extends StoreContract {
  private KeyStore keys;
  private QuotaStore quotas;

  TablesContract(Databases databases) {
    super(databases);
  }

  @BeforeEach
  void prepare() {
    keys = new KeyStore(database(), changes());
    quotas = new QuotaStore(database(), changes(), time);
  }

  private String exported() {
    return database().inTransaction("export", TablesContract::exported);
  }

  private static String exported(Handle handle) {
    TomlText toml = new TomlText();
    QuotaTables.print(handle, toml);
    KeyTables.print(handle, toml);
    return toml.toString();
  }

  private static List<Map<String, Object>> tables(String text, String name) {
    List<Map<String, Object>> tables = new ArrayList<>();
    TomlArray array = Toml.parse(text).getArray(name);
    for (int i = 0; array != null && i < array.size(); i++) {
      TomlTable table = array.getTable(i);
      Map<String, Object> values = new LinkedHashMap<>(table.toMap());
      values.replaceAll((key, value) -> value instanceof TomlArray list ? list.toList() : value);
      tables.add(values);
    }
    return tables;
  }

  private List<Imported> imported(String text) {
    List<String> mistakes = new ArrayList<>();
    List<KeyTables.Entry> keyEntries = new ArrayList<>();
    List<QuotaTables.Entry> quotaEntries = new ArrayList<>();
    for (Map<String, Object> table : tables(text, "quota")) {
      quotaEntries.add(
          Objects.requireNonNull(
              QuotaTables.read(table, (key, problem) -> mistakes.add(key + " " + problem))));
    }
    for (Map<String, Object> table : tables(text, "key")) {
      keyEntries.add(
          Objects.requireNonNull(
              KeyTables.read(table, (key, problem) -> mistakes.add(key + " " + problem))));
    }
    assertThat(mistakes).isEmpty();
    return changes()
        .make(
            "importer",
            (handle, acts) ->
                List.of(
                    QuotaTables.apply(handle, acts, "importer", quotas, quotaEntries),
                    KeyTables.apply(handle, acts, "importer", keyEntries)));
  }

  @Test
  void whatIsExportedIsTheSameAfterAnImport() {
    Instant end = Instant.parse("2027-01-01T00:00:00Z");
    quotas.put(
        "admin",
        "al\"ice",
        new QuotaSettings("gold", 10L, 20L, 5L, 99L, true, "odd\nreason", end),
        null);
    quotas.put("admin", "nothing-said", QuotaSettings.none(), null);
    NewKey kept =
        keys.create(
            "admin",
            "bob",
            new KeySettings("ci", "pro", List.of("2/10m", "9/h"), 1L, 2L, 3L, 4L, end));
    NewKey gone = keys.create("admin", "bob", KeySettings.none());
    keys.revoke("admin", gone.row().id(), null);
    String text = exported();
    assertThat(text)
        .contains("[[key]]", "[[quota]]", "hash = ", kept.row().id())
        .doesNotContain(gone.row().id())
        .doesNotContain(kept.key().substring(36));

    NewKey later = keys.create("admin", "carol", KeySettings.none());
    keys.update("admin", kept.row().id(), KeySettings.none().withTier("other"), null);
    quotas.put("admin", "carol", QuotaSettings.none().withTier("x"), null);
    quotas.clear("admin", "al\"ice", null);
    List<Imported> done = imported(text);
    assertThat(done.get(0).updated()).containsExactly("quota:al\"ice");
    assertThat(done.get(0).deleted()).containsExactly("quota:carol");
    assertThat(done.get(1).created()).isEmpty();
    assertThat(done.get(1).updated()).containsExactly("key:" + kept.row().id());
    assertThat(done.get(1).deleted()).containsExactly("key:" + later.row().id());
    assertThat(exported()).isEqualTo(text);
    assertThat(imported(text))
        .extracting(Imported::toString)
        .containsOnly("created [], updated [], deleted []");
  }

  @Test
  void keysWorkWhereTheExportIsRead() {
    NewKey key = keys.create("admin", "alice", KeySettings.none().withLimits(List.of("2/10m")));
    String text = exported();
    execute("delete from api_keys");
    execute("delete from user_quotas");
    assertThat(imported(text).get(1).created()).containsExactly("key:" + key.row().id());
    try (StoredKeys stored = new StoredKeys(database(), CacheOptions.defaults(), time)) {
      stored.readAll();
      assertThat(stored.find(key.key())).isNotNull();
    }
  }

  @Test
  void whatStandsAgainstAnImportIsRefused() {
    NewKey key = keys.create("admin", "alice", KeySettings.none());
    String text = exported();
    assertRefused(text + text, "key must stand in an import once, got " + key.row().id());
    String other = Fingerprint.of("another secret altogether").hex();
    assertRefused(
        text.replaceAll("hash = \"[0-9a-f]*\"", "hash = \"" + other + "\""),
        "key must have the secret and the user that it has");
    assertRefused(text.replace("\"alice\"", "\"bob\""), "key must have the secret and the user");
    keys.revoke("admin", key.row().id(), null);
    assertRefused(text, "key must not be revoked, got " + key.row().id());
    assertThat(exported()).isEmpty();
  }

  private void assertRefused(String text, String message) {
    assertThatThrownBy(() -> imported(text))
        .isInstanceOf(ChangeRefused.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void everyMistakeIsReportedByItsKey() {
    List<String> mistakes = new ArrayList<>();
    assertThat(
            KeyTables.read(
                Map.of(
                    "id",
                    "x",
                    "hash",
                    "s3cret",
                    "tier",
                    5L,
                    "limits",
                    List.of("often"),
                    "expires",
                    "soon",
                    "odd",
                    true),
                (key, problem) -> mistakes.add(key + " " + problem)))
        .isNull();
    assertThat(mistakes)
        .anyMatch(mistake -> mistake.equals("odd is unknown"))
        .anyMatch(mistake -> mistake.startsWith("id must be the id of a key"))
        .anyMatch(mistake -> mistake.equals("hash must be a SHA-256 in 64 hexadecimal digits"))
        .anyMatch(mistake -> mistake.equals("user is missing"))
        .anyMatch(mistake -> mistake.equals("tier must be a string"))
        .anyMatch(mistake -> mistake.startsWith("expires must be a time such as"))
        .anyMatch(mistake -> mistake.startsWith("limits is wrong: limit \"often\""))
        .noneMatch(mistake -> mistake.contains("s3cret"));
    mistakes.clear();
    assertThat(
            QuotaTables.read(
                Map.of("monthly_quota", "many", "is_blocked", 1L, "custom_limit_per_hour", 0L),
                (key, problem) -> mistakes.add(key + " " + problem)))
        .isNull();
    assertThat(mistakes)
        .anyMatch(mistake -> mistake.equals("user is missing"))
        .anyMatch(mistake -> mistake.equals("monthly_quota must be a whole number"))
        .anyMatch(mistake -> mistake.equals("is_blocked must be true or false"))
        .anyMatch(mistake -> mistake.contains("limit \"0/h\""));
  }
}
