package dev.weir.server;

import dev.weir.control.keys.KeyRow;
import dev.weir.control.keys.KeySettings;
import dev.weir.control.keys.KeyStore;
import dev.weir.control.keys.NewKey;
import dev.weir.policy.JsonText;
import dev.weir.policy.MalformedRequestException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** API keys over the admin API. A key is shown once, when it is made. */
final class AdminKeys {
  private final KeyStore store;

  AdminKeys(KeyStore store) {
    this.store = store;
  }

  List<Route> routes() {
    return List.of(
        AdminCall.get("keys", this::list),
        AdminCall.post("keys", this::create),
        AdminCall.get("keys/{id}", this::get),
        AdminCall.put("keys/{id}", this::update),
        AdminCall.delete("keys/{id}", this::revoke));
  }

  private void list(Exchange exchange) {
    exchange.requireQueryOf(Set.of("user", "limit", "cursor"));
    String user = exchange.query("user");
    String cursor = exchange.query("cursor");
    int size = AdminCall.pageSize(exchange);
    AdminCall.onDatabase(
        exchange,
        () -> store.list(user, cursor, size),
        page ->
            exchange.json(
                AdminCall.page(
                    "keys",
                    page.items().stream().map(row -> json(row).toString()).toList(),
                    page.next())));
  }

  private void get(Exchange exchange) {
    String id = exchange.parameter();
    AdminCall.onDatabase(exchange, () -> store.require(id), row -> answer(exchange, row));
  }

  /** What a body says of a key. */
  private static final class Said {
    @Nullable String user;
    KeySettings settings = KeySettings.none();
  }

  private static Said said(byte[] bytes, boolean isNew) {
    Said said = new Said();
    try (JsonBody body = new JsonBody(bytes)) {
      body.object(
          name -> {
            switch (name) {
              case "user" -> said.user = body.string(name);
              case "name" -> said.settings = said.settings.withName(body.string(name));
              case "tier" -> said.settings = said.settings.withTier(body.string(name));
              case "limits" -> said.settings = said.settings.withLimits(body.strings(name));
              case "expires" ->
                  said.settings =
                      said.settings.withExpiresAt(AdminCall.instant(name, body.string(name)));
              default -> {
                return false;
              }
            }
            return isNew || !name.equals("user");
          });
    }
    return said;
  }

  private void create(Exchange exchange) {
    exchange.body(
        body -> {
          Said said = said(body, true);
          String user = said.user;
          if (user == null) {
            throw new MalformedRequestException("user", "must be given: whose key it is");
          }
          AdminCall.onDatabase(
              exchange,
              () -> store.create(AdminCall.actor(exchange), user, said.settings),
              made -> created(exchange, made));
        });
  }

  private static void created(Exchange exchange, NewKey made) {
    AdminCall.log(exchange, "key.create " + made.row().id() + " for " + made.row().user());
    AdminCall.tellVersion(exchange, made.row().version());
    exchange.end(201, Exchange.JSON, json(made.row()).put("key", made.key()).toString());
  }

  private void update(Exchange exchange) {
    String id = exchange.parameter();
    Long version = AdminCall.seenVersion(exchange);
    exchange.body(
        body -> {
          KeySettings settings = said(body, false).settings;
          AdminCall.onDatabase(
              exchange,
              () -> store.update(AdminCall.actor(exchange), id, settings, version),
              row -> {
                AdminCall.log(exchange, "key.update " + row.id());
                answer(exchange, row);
              });
        });
  }

  private void revoke(Exchange exchange) {
    String id = exchange.parameter();
    Long version = AdminCall.seenVersion(exchange);
    AdminCall.onDatabase(
        exchange,
        () -> store.revoke(AdminCall.actor(exchange), id, version),
        row -> {
          AdminCall.log(exchange, "key.revoke " + row.id());
          answer(exchange, row);
        });
  }

  private static void answer(Exchange exchange, KeyRow row) {
    AdminCall.tellVersion(exchange, row.version());
    exchange.json(json(row).toString());
  }

  static JsonText json(KeyRow row) {
    KeySettings settings = row.settings();
    JsonText text = new JsonText().put("id", row.id()).put("user", row.user());
    AdminCall.putOrNull(text, "name", settings.name());
    AdminCall.putOrNull(text, "tier", settings.tier());
    List<String> limits = new ArrayList<>();
    settings.ownLimits().forEach(limit -> limits.add(limit.toString()));
    text.put("limits", limits).put("active", row.isActive());
    AdminCall.putOrNull(text, "expires", text(settings.expiresAt()));
    text.put("created_at", row.createdAt().toString());
    AdminCall.putOrNull(text, "created_by", row.createdBy());
    AdminCall.putOrNull(text, "last_used", text(row.lastUsedAt()));
    text.put("total_requests", row.totalRequests());
    AdminCall.putOrNull(text, "revoked_at", text(row.revokedAt()));
    AdminCall.putOrNull(text, "revoked_by", row.revokedBy());
    return text.put("version", row.version());
  }

  private static @Nullable String text(@Nullable Instant instant) {
    return instant == null ? null : instant.toString();
  }
}
