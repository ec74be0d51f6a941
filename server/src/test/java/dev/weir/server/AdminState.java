package dev.weir.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All entries and acts that the admin API tells of. Immutable. */
final class AdminState {
  private final List<JsonNode> acts;
  private final Map<String, JsonNode> entries = new HashMap<>();
  private final List<JsonNode> keys;

  private AdminState(Caller caller) {
    this.acts = pages(caller, "/v1/admin/acts");
    this.keys = pages(caller, "/v1/admin/keys");
    pages(caller, "/v1/admin/quotas")
        .forEach(quota -> entries.put("quota:" + quota.get("user").asText(), quota));
    for (JsonNode rule : caller.get("/v1/admin/rules").json().get("items")) {
      entries.put("rule:" + rule.get("name").asText(), rule);
    }
  }

  static AdminState read(Caller caller) {
    return new AdminState(caller);
  }

  private static List<JsonNode> pages(Caller caller, String path) {
    List<JsonNode> all = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = caller.get(path + "?limit=1000" + cursor).json();
      page.get("items").forEach(all::add);
      cursor = page.get("next").isNull() ? "" : "&cursor=" + page.get("next").asText();
    } while (!cursor.isEmpty());
    return all;
  }

  int acts() {
    return acts.size();
  }

  /** How many acts there are for each entry of one admin; all of keys as one. */
  Map<String, Integer> actsOf(String admin) {
    Map<String, Integer> counts = new HashMap<>();
    for (JsonNode act : acts) {
      String subject = act.get("subject").asText();
      if (subject.startsWith("key:")) {
        if (act.get("after").get("user").asText().equals(admin)) {
          counts.merge("keys", 1, Integer::sum);
        }
      } else if (subject.contains(":" + admin + "_")) {
        counts.merge(subject, 1, Integer::sum);
      }
    }
    return counts;
  }

  /** How many changes an entry has seen by its own account. */
  int changesOf(String subject, String admin) {
    if (subject.equals("keys")) {
      return (int) keys.stream().filter(key -> key.get("user").asText().equals(admin)).count();
    }
    JsonNode entry = entries.get(subject);
    return entry == null ? 0 : entry.get("version").asInt();
  }

  /** The number that the last change gave an entry. */
  int number(String subject) {
    JsonNode entry = entries.get(subject);
    if (entry == null) {
      throw new AssertionError(subject + " is not there");
    }
    String text =
        entry.has("hourly") ? entry.get("hourly").asText() : entry.get("limits").get(0).asText();
    return Integer.parseInt(text.split("/", -1)[0]);
  }

  /** All entries, as those who made them call them. */
  Map<String, JsonNode> entries() {
    return entries;
  }
}
