package dev.weir.control.configuration;

import dev.weir.policy.Endpoint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Endpoints as rows. */
final class EndpointColumns implements Columns {
  static final EndpointColumns INSTANCE = new EndpointColumns();

  private EndpointColumns() {}

  @Override
  public Map<String, @Nullable Object> of(Object meaning, Map<String, Object> document) {
    Endpoint endpoint = (Endpoint) meaning;
    Map<String, @Nullable Object> columns = new LinkedHashMap<>();
    columns.put("endpoint_name", endpoint.name());
    columns.put("paths", endpoint.paths().stream().map(Object::toString).toList());
    columns.put("methods", List.copyOf(endpoint.methods()));
    columns.put("limit_text", endpoint.limit() == null ? null : endpoint.limit().toString());
    columns.put("scope", endpoint.scope().toString());
    return columns;
  }

  @Override
  public Map<String, Object> document(Map<String, @Nullable Object> row) {
    Map<String, Object> document = new LinkedHashMap<>();
    Columns.put(document, "name", row, "endpoint_name");
    document.put("paths", Columns.texts(row, "paths"));
    List<Object> methods = Columns.texts(row, "methods");
    if (!methods.isEmpty()) {
      document.put("methods", methods);
    }
    Columns.put(document, "limit", row, "limit_text");
    Columns.put(document, "scope", row, "scope");
    return document;
  }
}
