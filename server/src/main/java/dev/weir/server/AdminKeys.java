package dev.weir.server;

import dev.weir.TimeSource;
import dev.weir.control.keys.KeyRow;
import dev.weir.control.keys.KeySettings;
import dev.weir.control.keys.KeyStore;
import dev.weir.control.keys.NewKey;
import dev.weir.policy.JsonText;
import dev.weir.policy.MalformedRequestException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** API keys over the admin API. A key is shown once, when it is made. */
final class AdminKeys {
  private final KeyStore store;
  private final TimeSource time;

  AdminKeys(KeyStore store, TimeSource time) {
    this.store = store;
    this.time = time;
  }

  List<Route> routes() {
    return List.of(
        AdminCall.get("keys", this::list).taking("user", "limit", "cursor"),
        AdminCall.post("keys", this::create).taking(Route.DRY_RUN),
        AdminCall.get("keys/{id}", this::get),
        AdminCall.put("keys/{id}", exchange -> update(exchange, before -> KeySettings.none()))
            .taking(Route.DRY_RUN),
        AdminCall.patch("keys/{id}", exchange -> update(exchange, UnaryOperator.identity()))
            .taking(Route.DRY_RUN),
        AdminCall.delete("keys/{id}", this::revoke).taking(Route.DRY_RUN));
  }

  private void list(Exchange exchange) {
    String user = exchange.query("user");
    String cursor = exchange.query("cursor");
    int size = AdminCall.pageSize(exchange);
    AdminCall.onDatabase(
        exchange,
        () -> store.list(user, cursor, size),
        page ->
            exchange.json(
                AdminCall.page(
                    page.items().stream().map(row -> json(row).toString()).toList(), page.next())));
  }

  private void get(Exchange exchange) {
    String id = exchange.parameter();
    AdminCall.onDatabase(exchange, () -> store.require(id), row -> answer(exchange, row));
  }

  /** The store, or one that keeps nothing if the caller only wants to know what would happen. */
  private KeyStore store(Exchange exchange) {
    return exchange.isDryRun() ? store.dryRun() : store;
  }

  /** What a body says of a key: whose it is, and what to change. */
  private static final class Said {
    @Nullable String user;
    UnaryOperator<KeySettings> change = UnaryOperator.identity();

    void change(UnaryOperator<KeySettings> next) {
      UnaryOperator<KeySettings> before = change;
      change = settings -> next.apply(before.apply(settings));
    }
  }

  private Said said(byte[] bytes, boolean isNew) {
    Said said = new Said();
    try (JsonBody body = new JsonBody(bytes)) {
      body.object(
          member -> {
            switch (member) {
              case "user" -> said.user = body.string(member);
              case "name" -> {
                String name = body.stringOrNull(member);
                said.change(settings -> settings.withName(name));
              }
              case "tier" -> {
                String tier = body.stringOrNull(member);
                said.change(settings -> settings.withTier(tier));
              }
              case "limits" -> {
                List<String> limits = body.isNull() ? List.of() : body.strings(member);
                said.change(settings -> settings.withLimits(limits));
              }
              case "expires" -> {
                Instant expires = expires(body, member);
                said.change(settings -> settings.withExpiresAt(expires));
              }
              default -> {
                return false;
              }
            }
            return isNew || !member.equals("user");
          });
    }
    return said;
  }

  private @Nullable Instant expires(JsonBody body, String member) {
    String text = body.stringOrNull(member);
    if (text == null) {
      return null;
    }
    Instant expires = AdminCall.instant(member, text);
    AdminCall.requireFuture(member, expires, time);
    return expires;
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
              () ->
                  store(exchange)
                      .create(
                          AdminCall.actor(exchange), user, said.change.apply(KeySettings.none())),
              made -> created(exchange, made));
        });
  }

  private static void created(Exchange exchange, NewKey made) {
    if (exchange.isDryRun()) {
      exchange.json(json(made.row()).put(Route.DRY_RUN, true).toString());
      return;
    }
    AdminCall.log(exchange, "key.create " + made.row().id() + " for " + made.row().user());
    AdminCall.tellVersion(exchange, made.row().version());
    exchange.end(201, Exchange.JSON, json(made.row()).put("key", made.key()).toString());
  }

  /** Changes a key, from what {@code start} leaves of it. */
  private void update(Exchange exchange, UnaryOperator<KeySettings> start) {
    String id = exchange.parameter();
    Long version = AdminCall.seenVersion(exchange);
    exchange.body(
        body -> {
          Said said = said(body, false);
          AdminCall.onDatabase(
              exchange,
              () ->
                  store(exchange)
                      .update(
                          AdminCall.actor(exchange),
                          id,
                          before -> said.change.apply(start.apply(before)),
                          version),
              row -> changed(exchange, "key.update", row));
        });
  }

  private void revoke(Exchange exchange) {
    String id = exchange.parameter();
    Long version = AdminCall.seenVersion(exchange);
    AdminCall.onDatabase(
        exchange,
        () -> store(exchange).revoke(AdminCall.actor(exchange), id, version),
        row -> changed(exchange, "key.revoke", row));
  }

  private static void changed(Exchange exchange, String act, KeyRow row) {
    if (exchange.isDryRun()) {
      exchange.json(json(row).put(Route.DRY_RUN, true).toString());
    } else {
      AdminCall.log(exchange, act + " " + row.id());
      answer(exchange, row);
    }
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
