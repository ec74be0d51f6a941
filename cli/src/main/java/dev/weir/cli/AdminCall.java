package dev.weir.cli;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A call of the admin API.
 *
 * @param body what is sent; null: nothing
 * @param contentType what the body is
 * @param version what must be there for the call to be obeyed; null: anything
 * @param patience how long to wait for the whole answer
 */
record AdminCall(
    String method,
    AdminPath path,
    @Nullable String body,
    String contentType,
    @Nullable String version,
    Duration patience) {

  static final String JSON = "application/json";
  static final String TOML = "application/toml";

  private static final Duration USUAL_PATIENCE = Duration.ofSeconds(30);

  static AdminCall get(AdminPath path) {
    return new AdminCall("GET", path, null, JSON, null, USUAL_PATIENCE);
  }

  static AdminCall delete(AdminPath path) {
    return new AdminCall("DELETE", path, null, JSON, null, USUAL_PATIENCE);
  }

  static AdminCall post(AdminPath path) {
    return new AdminCall("POST", path, null, JSON, null, USUAL_PATIENCE);
  }

  static AdminCall post(AdminPath path, String json) {
    return new AdminCall("POST", path, json, JSON, null, USUAL_PATIENCE);
  }

  static AdminCall put(AdminPath path, String json) {
    return new AdminCall("PUT", path, json, JSON, null, USUAL_PATIENCE);
  }

  /** Changes what the body names; null removes. */
  static AdminCall patch(AdminPath path, String json) {
    return new AdminCall("PATCH", path, json, JSON, null, USUAL_PATIENCE);
  }

  static AdminCall postToml(AdminPath path, String toml) {
    return new AdminCall("POST", path, toml, TOML, null, USUAL_PATIENCE);
  }

  AdminCall ifVersion(String expected) {
    return new AdminCall(method, path, body, contentType, expected, patience);
  }

  AdminCall waiting(Duration longest) {
    return new AdminCall(method, path, body, contentType, version, longest);
  }
}
