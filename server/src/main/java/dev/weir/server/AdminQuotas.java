package dev.weir.server;

import dev.weir.TimeSource;
import dev.weir.control.change.ChangeRefused;
import dev.weir.control.quotas.QuotaFilter;
import dev.weir.control.quotas.QuotaRow;
import dev.weir.control.quotas.QuotaSettings;
import dev.weir.control.quotas.QuotaStore;
import dev.weir.policy.JsonText;
import dev.weir.policy.MalformedRequestException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What users may do, and have done, over the admin API. */
final class AdminQuotas {
  private final QuotaStore store;
  private final TimeSource time;

  AdminQuotas(QuotaStore store, TimeSource time) {
    this.store = store;
    this.time = time;
  }

  List<Route> routes() {
    return List.of(
        AdminCall.get("quotas", this::list),
        AdminCall.get("quotas/{user}", this::get),
        AdminCall.put("quotas/{user}", this::put),
        AdminCall.delete("quotas/{user}", this::clear));
  }

  private void list(Exchange exchange) {
    exchange.requireQueryOf(Set.of("tier", "blocked", "limit", "cursor"));
    QuotaFilter filter =
        new QuotaFilter(exchange.query("tier"), bool("blocked", exchange.query("blocked")), null);
    String cursor = exchange.query("cursor");
    int size = AdminCall.pageSize(exchange);
    AdminCall.onDatabase(
        exchange,
        () -> store.list(filter, cursor, size),
        page ->
            exchange.json(
                AdminCall.page(
                    "quotas", page.items().stream().map(this::json).toList(), page.next())));
  }

  private static @Nullable Boolean bool(String name, @Nullable String text) {
    if (text != null && !text.equals("true") && !text.equals("false")) {
      throw new MalformedRequestException(name, "must be true or false, got \"" + text + "\"");
    }
    return text == null ? null : Boolean.valueOf(text);
  }

  private void get(Exchange exchange) {
    String user = exchange.parameter();
    AdminCall.onDatabase(
        exchange,
        () -> {
          QuotaRow row = store.get(user);
          if (row == null) {
            throw new ChangeRefused(
                ChangeRefused.Kind.NOT_FOUND, "user", "must have a quota, got \"" + user + "\"");
          }
          return row;
        },
        row -> answer(exchange, row));
  }

  private void put(Exchange exchange) {
    String user = exchange.parameter();
    Long version = AdminCall.seenVersion(exchange);
    exchange.body(
        body -> {
          QuotaSettings said = said(body);
          AdminCall.onDatabase(
              exchange,
              () -> store.put(AdminCall.actor(exchange), user, said, version),
              row -> {
                AdminCall.log(exchange, "quota.put " + user);
                answer(exchange, row);
              });
        });
  }

  private static QuotaSettings said(byte[] bytes) {
    Quota quota = new Quota();
    try (JsonBody body = new JsonBody(bytes)) {
      body.object(
          name -> {
            switch (name) {
              case "tier" -> quota.tier = body.string(name);
              case "hourly" -> quota.hourly = body.permits(name, 1);
              case "daily" -> quota.daily = body.permits(name, 1);
              case "burst" -> quota.burst = body.permits(name, 1);
              case "monthly" -> quota.monthly = body.permits(name, 1);
              case "blocked" -> quota.isBlocked = body.bool(name);
              case "block_reason" -> quota.reason = body.string(name);
              case "blocked_until" -> quota.until = AdminCall.instant(name, body.string(name));
              default -> {
                return false;
              }
            }
            return true;
          });
    }
    return new QuotaSettings(
        quota.tier,
        quota.hourly,
        quota.daily,
        quota.burst,
        quota.monthly,
        quota.isBlocked,
        quota.reason,
        quota.until);
  }

  /** What a body says of a user. */
  private static final class Quota {
    @Nullable String tier;
    @Nullable Long hourly;
    @Nullable Long daily;
    @Nullable Long burst;
    @Nullable Long monthly;
    boolean isBlocked;
    @Nullable String reason;
    @Nullable Instant until;
  }

  private void clear(Exchange exchange) {
    String user = exchange.parameter();
    Long version = AdminCall.seenVersion(exchange);
    AdminCall.onDatabase(
        exchange,
        () -> store.clear(AdminCall.actor(exchange), user, version),
        row -> {
          AdminCall.log(exchange, "quota.delete " + user);
          answer(exchange, row);
        });
  }

  private void answer(Exchange exchange, QuotaRow row) {
    AdminCall.tellVersion(exchange, row.version());
    exchange.json(json(row));
  }

  private String json(QuotaRow row) {
    return json(row, Instant.EPOCH.plus(time.nowMicros(), ChronoUnit.MICROS));
  }

  static String json(QuotaRow row, Instant now) {
    QuotaSettings settings = row.settings();
    JsonText text = new JsonText().put("user", row.user());
    AdminCall.putOrNull(text, "tier", settings.tier());
    putOrNull(text, "hourly", settings.customLimitPerHour());
    putOrNull(text, "daily", settings.customLimitPerDay());
    putOrNull(text, "burst", settings.customBurstSize());
    putOrNull(text, "monthly", settings.monthlyQuota());
    text.put("used_today", row.usedToday(now)).put("used_this_month", row.usedThisMonth(now));
    AdminCall.putOrNull(text, "last_request", text(row.lastRequestAt()));
    text.put("exceeded", row.quotaExceededCount());
    AdminCall.putOrNull(
        text,
        "resets_at",
        settings.monthlyQuota() == null ? null : QuotaRow.resetAfter(now).toString());
    text.put("blocked", row.isBlockedAt(now));
    AdminCall.putOrNull(text, "block_reason", settings.blockReason());
    AdminCall.putOrNull(text, "blocked_until", text(settings.blockedUntil()));
    return text.put("version", row.version()).toString();
  }

  private static void putOrNull(JsonText text, String name, @Nullable Long value) {
    text.putRaw(name, String.valueOf(value));
  }

  private static @Nullable String text(@Nullable Instant instant) {
    return instant == null ? null : instant.toString();
  }
}
