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
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
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
        AdminCall.get("quotas", this::list).taking("tier", "blocked", "limit", "cursor"),
        AdminCall.get("quotas/{user}", this::get),
        AdminCall.put("quotas/{user}", exchange -> update(exchange, before -> QuotaSettings.none()))
            .taking(Route.DRY_RUN),
        AdminCall.patch("quotas/{user}", exchange -> update(exchange, UnaryOperator.identity()))
            .taking(Route.DRY_RUN),
        AdminCall.delete("quotas/{user}", this::clear).taking(Route.DRY_RUN));
  }

  private void list(Exchange exchange) {
    QuotaFilter filter =
        new QuotaFilter(exchange.query("tier"), bool("blocked", exchange.query("blocked")), null);
    String cursor = exchange.query("cursor");
    int size = AdminCall.pageSize(exchange);
    AdminCall.onDatabase(
        exchange,
        () -> store.list(filter, cursor, size),
        page ->
            exchange.json(
                AdminCall.page(page.items().stream().map(this::json).toList(), page.next())));
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

  /** The store, or one that keeps nothing if the caller only wants to know what would happen. */
  private QuotaStore store(Exchange exchange) {
    return exchange.isDryRun() ? store.dryRun() : store;
  }

  /** Changes what is said of a user, from what {@code start} leaves of it. */
  private void update(Exchange exchange, UnaryOperator<QuotaSettings> start) {
    String user = exchange.parameter();
    Long version = AdminCall.seenVersion(exchange);
    exchange.body(
        body -> {
          UnaryOperator<Quota> said = said(body);
          AdminCall.onDatabase(
              exchange,
              () ->
                  store(exchange)
                      .update(
                          AdminCall.actor(exchange),
                          user,
                          before -> said.apply(Quota.of(start.apply(before))).settings(),
                          version),
              row -> changed(exchange, "quota.put", row));
        });
  }

  /** What a body changes. A reason or an end alone is one of a block that is there. */
  private UnaryOperator<Quota> said(byte[] bytes) {
    List<Consumer<Quota>> changes = new ArrayList<>();
    try (JsonBody body = new JsonBody(bytes)) {
      body.object(
          name -> {
            switch (name) {
              case "tier" -> {
                String tier = body.stringOrNull(name);
                changes.add(quota -> quota.tier = tier);
              }
              case "hourly" -> {
                Long permits = permits(body, name);
                changes.add(quota -> quota.hourly = permits);
              }
              case "daily" -> {
                Long permits = permits(body, name);
                changes.add(quota -> quota.daily = permits);
              }
              case "burst" -> {
                Long permits = permits(body, name);
                changes.add(quota -> quota.burst = permits);
              }
              case "monthly" -> {
                Long permits = permits(body, name);
                changes.add(quota -> quota.monthly = permits);
              }
              case "blocked" -> {
                boolean isBlocked = !body.isNull() && body.bool(name);
                // First, since it takes a reason and an end along.
                changes.add(0, quota -> quota.setBlocked(isBlocked));
              }
              case "block_reason" -> {
                String reason = body.stringOrNull(name);
                changes.add(quota -> quota.reason = reason);
              }
              case "blocked_until" -> {
                String text = body.stringOrNull(name);
                Instant until = text == null ? null : AdminCall.instant(name, text);
                if (until != null) {
                  AdminCall.requireFuture(name, until, time);
                }
                changes.add(quota -> quota.until = until);
              }
              default -> {
                return false;
              }
            }
            return true;
          });
    }
    return quota -> {
      changes.forEach(change -> change.accept(quota));
      return quota;
    };
  }

  private static @Nullable Long permits(JsonBody body, String name) {
    return body.isNull() ? null : Long.valueOf(body.permits(name, 1));
  }

  /** What is said of a user, while a body changes it. */
  private static final class Quota {
    @Nullable String tier;
    @Nullable Long hourly;
    @Nullable Long daily;
    @Nullable Long burst;
    @Nullable Long monthly;
    boolean isBlocked;
    @Nullable String reason;
    @Nullable Instant until;

    static Quota of(QuotaSettings settings) {
      Quota quota = new Quota();
      quota.tier = settings.tier();
      quota.hourly = settings.customLimitPerHour();
      quota.daily = settings.customLimitPerDay();
      quota.burst = settings.customBurstSize();
      quota.monthly = settings.monthlyQuota();
      quota.isBlocked = settings.isBlocked();
      quota.reason = settings.blockReason();
      quota.until = settings.blockedUntil();
      return quota;
    }

    void setBlocked(boolean next) {
      isBlocked = next;
      reason = next ? reason : null;
      until = next ? until : null;
    }

    QuotaSettings settings() {
      return new QuotaSettings(tier, hourly, daily, burst, monthly, isBlocked, reason, until);
    }
  }

  private void clear(Exchange exchange) {
    String user = exchange.parameter();
    Long version = AdminCall.seenVersion(exchange);
    AdminCall.onDatabase(
        exchange,
        () -> store(exchange).clear(AdminCall.actor(exchange), user, version),
        row -> changed(exchange, "quota.delete", row));
  }

  private void changed(Exchange exchange, String act, QuotaRow row) {
    if (exchange.isDryRun()) {
      exchange.json(text(row).put(Route.DRY_RUN, true).toString());
    } else {
      AdminCall.log(exchange, act + " " + row.user());
      answer(exchange, row);
    }
  }

  private void answer(Exchange exchange, QuotaRow row) {
    AdminCall.tellVersion(exchange, row.version());
    exchange.json(json(row));
  }

  private String json(QuotaRow row) {
    return text(row).toString();
  }

  private JsonText text(QuotaRow row) {
    return text(row, Instant.EPOCH.plus(time.nowMicros(), ChronoUnit.MICROS));
  }

  static String json(QuotaRow row, Instant now) {
    return text(row, now).toString();
  }

  private static JsonText text(QuotaRow row, Instant now) {
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
    return text.put("version", row.version());
  }

  private static void putOrNull(JsonText text, String name, @Nullable Long value) {
    text.putRaw(name, String.valueOf(value));
  }

  private static @Nullable String text(@Nullable Instant instant) {
    return instant == null ? null : instant.toString();
  }
}
