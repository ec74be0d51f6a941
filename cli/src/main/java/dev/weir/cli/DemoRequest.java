package dev.weir.cli;

import dev.weir.policy.JsonText;
import org.jspecify.annotations.Nullable;

/**
 * A request of the demo, as {@code /v1/check} takes it.
 *
 * @param user who is known to ask; null: nobody is
 * @param tier what that user has paid for; null: that is not said
 * @param key the id of an API key; null: none came
 */
record DemoRequest(
    String method,
    String path,
    String ip,
    @Nullable String user,
    @Nullable String tier,
    @Nullable String key) {

  /** Of somebody of whom only the address is known. */
  static DemoRequest from(String ip, String method, String path) {
    return new DemoRequest(method, path, ip, null, null, null);
  }

  DemoRequest by(String name) {
    return new DemoRequest(method, path, ip, name, tier, key);
  }

  DemoRequest of(String paid) {
    return new DemoRequest(method, path, ip, user, paid, key);
  }

  DemoRequest with(String id) {
    return new DemoRequest(method, path, ip, user, tier, id);
  }

  String json() {
    JsonText text = new JsonText().put("method", method).put("path", path).put("ip", ip);
    put(text, "user", user);
    put(text, "tier", tier);
    put(text, "key", key);
    return text.toString();
  }

  private static void put(JsonText text, String name, @Nullable String value) {
    if (value != null) {
      text.put(name, value);
    }
  }
}
