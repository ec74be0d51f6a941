package dev.weir.server;

import dev.weir.TimeSource;
import dev.weir.control.configuration.ConfigurationStore;
import dev.weir.control.configuration.Edit;
import dev.weir.control.configuration.Entry;
import dev.weir.control.configuration.EntryKind;
import dev.weir.policy.JsonText;
import dev.weir.policy.MalformedRequestException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules, tiers, endpoints, blocks and exemptions over the admin API. */
final class AdminEntries {
  private final ConfigurationStore store;
  private final TimeSource time;

  AdminEntries(ConfigurationStore store, TimeSource time) {
    this.store = store;
    this.time = time;
  }

  List<Route> routes() {
    List<Route> routes = new ArrayList<>();
    addNamed(routes, "rules", EntryKind.RULE);
    addNamed(routes, "tiers", EntryKind.TIER);
    addNamed(routes, "endpoints", EntryKind.ENDPOINT);
    addListed(routes, "blocks", EntryKind.BLOCK);
    addListed(routes, "exemptions", EntryKind.EXEMPTION);
    return routes;
  }

  private void addNamed(List<Route> routes, String path, EntryKind kind) {
    String one = path + "/{name}";
    routes.add(AdminCall.get(path, exchange -> list(exchange, kind)));
    routes.add(AdminCall.post(path, exchange -> create(exchange, kind)).taking(Route.DRY_RUN));
    routes.add(AdminCall.get(one, exchange -> get(exchange, kind)));
    routes.add(AdminCall.put(one, exchange -> put(exchange, kind)).taking(Route.DRY_RUN));
    routes.add(AdminCall.patch(one, exchange -> patch(exchange, kind)).taking(Route.DRY_RUN));
    routes.add(AdminCall.delete(one, exchange -> delete(exchange, kind)).taking(Route.DRY_RUN));
  }

  private void addListed(List<Route> routes, String path, EntryKind kind) {
    String one = path + "/{client}";
    routes.add(AdminCall.get(path, exchange -> list(exchange, kind)));
    routes.add(AdminCall.post(path, exchange -> putListed(exchange, kind)).taking(Route.DRY_RUN));
    routes.add(AdminCall.delete(one, exchange -> delete(exchange, kind)).taking(Route.DRY_RUN));
  }

  /** Puts a client on a list, or changes its entry. */
  private void putListed(Exchange exchange, EntryKind kind) {
    exchange.body(
        body -> {
          Map<String, Object> document = JsonBody.document(body);
          if (!(document.get("client") instanceof String client)) {
            throw new MalformedRequestException(
                "client", "must be given, for example \"user:alice\"");
          }
          requireFutureEnd(document);
          edit(exchange, new Edit.Put(kind, client, document, null, false), 201);
        });
  }

  /** Only here: a file or an import may well name entries that have ended since. */
  private void requireFutureEnd(Map<String, Object> document) {
    if (document.get("until") instanceof String text) {
      Instant until;
      try {
        until = OffsetDateTime.parse(text).toInstant();
      } catch (DateTimeParseException wrong) {
        // The store refuses it, together with all else that is wrong.
        return;
      }
      AdminCall.requireFuture("until", until, time);
    }
  }

  private void list(Exchange exchange, EntryKind kind) {
    AdminCall.onDatabase(
        exchange,
        () -> {
          List<String> items =
              store.list(kind).stream().filter(this::holds).map(AdminEntries::json).toList();
          return AdminCall.page(items, null);
        },
        exchange::json);
  }

  /** Whether it has not come to its end. */
  private boolean holds(Entry entry) {
    return !(entry.document().get("until") instanceof String until)
        || Instant.parse(until).isAfter(Instant.EPOCH.plus(time.nowMicros(), ChronoUnit.MICROS));
  }

  private void get(Exchange exchange, EntryKind kind) {
    String name = exchange.parameter();
    AdminCall.onDatabase(
        exchange, () -> store.get(kind, name), entry -> answer(exchange, 200, entry));
  }

  private void create(Exchange exchange, EntryKind kind) {
    exchange.body(body -> edit(exchange, new Edit.Create(kind, JsonBody.document(body)), 201));
  }

  private void put(Exchange exchange, EntryKind kind) {
    String name = exchange.parameter();
    Long version = AdminCall.seenVersion(exchange);
    boolean mustBeNew = "*".equals(exchange.field("If-None-Match"));
    exchange.body(
        body -> {
          Map<String, Object> document = JsonBody.document(body);
          edit(exchange, new Edit.Put(kind, name, document, version, mustBeNew), 200);
        });
  }

  /** As a JSON merge patch (RFC 7396): changes what is given, and null removes. */
  private void patch(Exchange exchange, EntryKind kind) {
    String name = exchange.parameter();
    Long version = AdminCall.seenVersion(exchange);
    exchange.body(
        body -> {
          Map<String, @Nullable Object> changes = JsonBody.patch(body);
          edit(exchange, new Edit.Patch(kind, name, changes, version), 200);
        });
  }

  private void delete(Exchange exchange, EntryKind kind) {
    edit(
        exchange,
        new Edit.Delete(kind, exchange.parameter(), AdminCall.seenVersion(exchange)),
        200);
  }

  private void edit(Exchange exchange, Edit edit, int status) {
    String actor = AdminCall.actor(exchange);
    if (exchange.isDryRun()) {
      AdminCall.onDatabase(
          exchange, () -> dryRun(edit.kind(), store.tryOut(actor, edit)), exchange::json);
      return;
    }
    AdminCall.onDatabase(
        exchange,
        () -> store.make(actor, edit),
        outcome -> {
          Entry after = outcome.entry();
          AdminCall.log(exchange, outcome.act() + " " + outcome.subject());
          if (after == null) {
            exchange.json(
                new JsonText()
                    .put(edit.kind().nameKey(), outcome.name())
                    .put("removed", true)
                    .toString());
          } else {
            answer(exchange, outcome.isNew() ? 201 : status, after);
          }
        });
  }

  private static String dryRun(EntryKind kind, Edit.Outcome outcome) {
    return new JsonText()
        .put("dry_run", true)
        .put(kind.nameKey(), outcome.name())
        .put("policy", outcome.merged().policyVersion())
        .put("warnings", outcome.merged().warnings())
        .putRaw("entry", outcome.entry() == null ? "null" : json(outcome.entry()))
        .toString();
  }

  private static void answer(Exchange exchange, int status, Entry entry) {
    Entry.Row row = entry.row();
    if (row != null) {
      AdminCall.tellVersion(exchange, row.version());
    }
    exchange.end(status, Exchange.JSON, json(entry));
  }

  static String json(Entry entry) {
    JsonText text =
        entry.kind().isListed()
            ? listed(entry.document())
            : new JsonText().putAll(entry.document());
    Entry.Row row = entry.row();
    if (row == null) {
      return text.put("source", "file").toString();
    }
    text.put("source", "database")
        .put("version", row.version())
        .put("created_at", row.createdAt().toString());
    putIfKnown(text, "created_by", row.createdBy());
    text.put("updated_at", row.updatedAt().toString());
    putIfKnown(text, "updated_by", row.updatedBy());
    return text.toString();
  }

  private static JsonText listed(Map<String, Object> document) {
    JsonText text = new JsonText().put("client", String.valueOf(document.get("client")));
    text.put("reason", document.get("reason") instanceof String reason ? reason : "");
    AdminCall.putOrNull(
        text, "until", document.get("until") instanceof String until ? until : null);
    return text;
  }

  private static void putIfKnown(JsonText text, String name, @Nullable String value) {
    if (value != null) {
      text.put(name, value);
    }
  }
}
