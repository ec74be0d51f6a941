package dev.weir.server;

import dev.weir.control.ControlPlane;
import dev.weir.control.audit.AuditFilter;
import dev.weir.control.audit.ExportFormat;
import dev.weir.control.rollup.Granularity;
import dev.weir.control.rollup.RollupFilter;
import dev.weir.control.rollup.RollupQueries;
import dev.weir.policy.MalformedRequestException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was decided and done, over the admin API. */
final class AdminAudit {
  private final ControlPlane control;

  AdminAudit(ControlPlane control) {
    this.control = control;
  }

  List<Route> routes() {
    return List.of(
        AdminCall.get("audit", this::decisions)
            .taking(
                "user",
                "client",
                "key",
                "ip",
                "decision",
                "endpoint",
                "rule",
                "region",
                "from",
                "to",
                "limit",
                "cursor",
                "format"),
        AdminCall.get("acts", this::acts).taking("subject", "actor", "limit", "cursor"),
        AdminCall.get("stats/history", this::history)
            .taking("granularity", "from", "to", "endpoint", "tier", "rule", "region"));
  }

  private void decisions(Exchange exchange) {
    AuditFilter filter =
        new AuditFilter(
            exchange.query("user"),
            exchange.query("client"),
            exchange.query("key"),
            exchange.query("ip"),
            exchange.query("decision"),
            exchange.query("endpoint"),
            exchange.query("rule"),
            exchange.query("region"),
            time(exchange, "from"),
            time(exchange, "to"));
    ExportFormat format = format(exchange.query("format"));
    if (format == null) {
      String cursor = exchange.query("cursor");
      int size = AdminCall.pageSize(exchange);
      AdminCall.onDatabase(
          exchange,
          () -> control.audit().page(filter, cursor, size),
          page -> exchange.json(page.toJson()));
      return;
    }
    AdminCall.log(exchange, "export the audit");
    // A page first, so that what cannot be asked is answered as such and not in the middle.
    AdminCall.onDatabase(
        exchange,
        () -> control.audit().page(filter, null, 1),
        page ->
            exchange.stream(
                format.mediaType(), target -> control.audit().export(filter, format, target)));
  }

  private static @Nullable ExportFormat format(@Nullable String text) {
    if (text == null || text.equals("json")) {
      return null;
    }
    for (ExportFormat format : ExportFormat.values()) {
      if (format.extension().equals(text)) {
        return format;
      }
    }
    throw new MalformedRequestException(
        "format", "must be json, jsonl or csv, got \"" + text + "\"");
  }

  private static @Nullable Instant time(Exchange exchange, String name) {
    String text = exchange.query(name);
    return text == null ? null : AdminCall.instant(name, text);
  }

  private void acts(Exchange exchange) {
    String subject = exchange.query("subject");
    String actor = exchange.query("actor");
    String cursor = exchange.query("cursor");
    int size = AdminCall.pageSize(exchange);
    AdminCall.onDatabase(
        exchange,
        () -> control.acts().page(subject, actor, cursor, size),
        page -> exchange.json(page.toJson()));
  }

  private void history(Exchange exchange) {
    RollupFilter filter =
        new RollupFilter(
            granularity(exchange.query("granularity")),
            time(exchange, "from"),
            time(exchange, "to"),
            exchange.query("endpoint"),
            exchange.query("tier"),
            exchange.query("rule"),
            exchange.query("region"));
    AdminCall.onDatabase(
        exchange,
        () -> control.history().rows(filter, RollupQueries.MOST_ROWS),
        rows -> exchange.json(rows.toJson()));
  }

  private static Granularity granularity(@Nullable String text) {
    for (Granularity granularity : Granularity.values()) {
      if (text == null || granularity.toString().equals(text)) {
        return granularity;
      }
    }
    throw new MalformedRequestException(
        "granularity", "must be minute, hour or day, got \"" + text + "\"");
  }
}
