package dev.weir.server;

import dev.weir.control.configuration.ConfigurationExport;
import dev.weir.control.configuration.Differences;
import dev.weir.policy.Gate;
import dev.weir.policy.JsonText;
import java.util.List;

/** The whole configuration of the database as one text, out and in. */
final class AdminTransfer {
  private static final int MOST_BYTES = 16 << 20;
  private static final String TOML = "application/toml";

  private final ConfigurationExport configuration;
  private final Gate gate;

  AdminTransfer(ConfigurationExport configuration, Gate gate) {
    this.configuration = configuration;
    this.gate = gate;
  }

  List<Route> routes() {
    return List.of(
        // With hashes of keys, which are for nobody who may only look.
        Route.get(AdminCall.PREFIX + "export", Access.ADMIN, AdminCall.guarded(this::export)),
        AdminCall.post("import", this::replace).taking(Route.DRY_RUN));
  }

  private void export(Exchange exchange) {
    AdminCall.onDatabase(
        exchange,
        () -> configuration.export(),
        text -> {
          AdminCall.log(exchange, "export");
          exchange.end(200, TOML, text);
        });
  }

  private void replace(Exchange exchange) {
    boolean isDryRun = exchange.isDryRun();
    exchange.body(
        MOST_BYTES,
        body -> {
          String actor = AdminCall.actor(exchange);
          AdminCall.onDatabase(
              exchange,
              () -> {
                String text = Utf8.decode("body", body);
                return isDryRun
                    ? configuration.tryOut(actor, text, "body")
                    : configuration.replace(actor, text, "body");
              },
              differences -> {
                AdminCall.log(exchange, isDryRun ? "import, dry run" : "import");
                exchange.json(json(differences, isDryRun));
              });
        });
  }

  private String json(Differences differences, boolean isDryRun) {
    return new JsonText()
        .put("created", differences.created())
        .put("updated", differences.updated())
        .put("deleted", differences.deleted())
        .put("policy", gate.policy().version())
        .put("dry_run", isDryRun)
        .toString();
  }
}
