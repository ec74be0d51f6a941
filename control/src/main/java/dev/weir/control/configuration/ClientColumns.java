package dev.weir.control.configuration;

import dev.weir.policy.ListedClient;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Clients on a list as rows. */
final class ClientColumns implements Columns {
  static final ClientColumns OF_BLOCKS = new ClientColumns("blocked_until");
  static final ClientColumns OF_EXEMPTIONS = new ClientColumns("exempt_until");

  private final String untilColumn;

  private ClientColumns(String untilColumn) {
    this.untilColumn = untilColumn;
  }

  @Override
  public Map<String, @Nullable Object> of(Object meaning, Map<String, Object> document) {
    ListedClient client = (ListedClient) meaning;
    Map<String, @Nullable Object> columns = new LinkedHashMap<>();
    columns.put("client", client.client());
    columns.put("reason", client.reason());
    columns.put(untilColumn, client.until());
    return columns;
  }

  @Override
  public Map<String, Object> document(Map<String, @Nullable Object> row) {
    Map<String, Object> document = new LinkedHashMap<>();
    Columns.put(document, "client", row, "client");
    Columns.put(document, "reason", row, "reason");
    Object until = row.get(untilColumn);
    Columns.putIfThere(document, "until", until == null ? null : until.toString());
    return document;
  }
}
