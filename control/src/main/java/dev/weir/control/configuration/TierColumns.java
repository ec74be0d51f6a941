package dev.weir.control.configuration;

import dev.weir.policy.Tier;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tiers as rows. One without a limit has that of {@code [default]}, whatever it becomes. */
final class TierColumns implements Columns {
  static final TierColumns INSTANCE = new TierColumns();

  private TierColumns() {}

  @Override
  public Map<String, @Nullable Object> of(Object meaning, Map<String, Object> document) {
    Tier tier = (Tier) meaning;
    Map<String, Object> overrides = new LinkedHashMap<>();
    tier.overrides().forEach((path, permits) -> overrides.put(path.toString(), permits));
    Map<String, @Nullable Object> columns = new LinkedHashMap<>();
    columns.put("tier_name", tier.name());
    columns.put("limit_text", document.containsKey("limit") ? tier.limit().toString() : null);
    columns.put("endpoints", Documents.json(overrides));
    return columns;
  }

  @Override
  public Map<String, Object> document(Map<String, @Nullable Object> row) {
    Map<String, Object> document = new LinkedHashMap<>();
    Columns.put(document, "name", row, "tier_name");
    Columns.put(document, "limit", row, "limit_text");
    Map<String, Object> overrides = Columns.object(row, "endpoints");
    if (!overrides.isEmpty()) {
      document.put("endpoints", overrides);
    }
    return document;
  }
}
