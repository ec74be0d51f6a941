package dev.weir.control.audit;

import dev.weir.policy.JsonText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of the decisions that were asked for, the newest first.
 *
 * @param next the cursor of the page behind it; null if there is none
 */
public record AuditPage(List<AuditEntry> entries, @Nullable String next) {
  public AuditPage {
    entries = List.copyOf(entries);
  }

  /** As {@code {"entries": […], "next": …}}. */
  public String toJson() {
    JsonText json =
        new JsonText().putObjects("items", entries, (object, entry) -> entry.writeTo(object));
    String cursor = next;
    return (cursor == null ? json.putRaw("next", "null") : json.put("next", cursor)).toString();
  }
}
