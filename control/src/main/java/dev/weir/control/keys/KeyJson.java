package dev.weir.control.keys;

import dev.weir.policy.JsonText;

/** What audit rows say of a key: neither its secret nor the hash of it. */
final class KeyJson {
  private KeyJson() {}

  static String of(KeyRow row) {
    KeySettings settings = row.settings();
    JsonText json = new JsonText().put("id", row.id()).put("user", row.user());
    if (settings.name() != null) {
      json.put("name", settings.name());
    }
    if (settings.tier() != null) {
      json.put("tier", settings.tier());
    }
    if (!settings.limits().isEmpty()) {
      json.put("limits", settings.limits());
    }
    putNumbers(json, settings);
    if (settings.expiresAt() != null) {
      json.put("expires_at", settings.expiresAt().toString());
    }
    json.put("is_active", row.isActive());
    return json.put("version", row.version()).toString();
  }

  private static void putNumbers(JsonText json, KeySettings settings) {
    if (settings.requestsPerSecond() != null) {
      json.put("requests_per_second", settings.requestsPerSecond());
    }
    if (settings.requestsPerHour() != null) {
      json.put("requests_per_hour", settings.requestsPerHour());
    }
    if (settings.requestsPerDay() != null) {
      json.put("requests_per_day", settings.requestsPerDay());
    }
    if (settings.burstSize() != null) {
      json.put("burst_size", settings.burstSize());
    }
  }
}
