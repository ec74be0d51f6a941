package dev.weir.server;

import dev.weir.TimeSource;
import dev.weir.control.ControlPlane;
import dev.weir.control.keys.KeyRow;
import dev.weir.control.quotas.QuotaRow;
import dev.weir.control.rows.Page;
import dev.weir.policy.Client;
import dev.weir.policy.Gate;
import dev.weir.policy.JsonText;
import dev.weir.policy.ListedClient;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.Usage;
import dev.weir.server.metrics.ServerMetrics;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Clients over the admin API: who there is, and all that is known of one. */
final class AdminClients {
  private static final int USUAL_NUMBER = 20;
  private static final int MOST_REFUSED = 1_000;

  private final Gate gate;
  private final Supplier<Live> live;
  private final ControlPlane control;
  private final ServerMetrics metrics;
  private final TimeSource time;

  AdminClients(
      Gate gate,
      Supplier<Live> live,
      ControlPlane control,
      ServerMetrics metrics,
      TimeSource time) {
    this.gate = gate;
    this.live = live;
    this.control = control;
    this.metrics = metrics;
    this.time = time;
  }

  List<Route> routes() {
    return List.of(
        AdminCall.get("clients", this::search).taking("q", "limit"),
        AdminCall.get("clients/{client}", this::show));
  }

  private void search(Exchange exchange) {
    String text = exchange.queryOrEmpty("q");
    int size = AdminCall.pageSize(exchange, USUAL_NUMBER);
    AdminCall.onDatabase(exchange, () -> found(text, size), exchange::json);
  }

  /** By what each is known; a client that is named in full comes first, known or not. */
  private String found(String text, int size) {
    Map<String, Set<String>> known = new TreeMap<>();
    control.quotas().usersWith(text, size).forEach(user -> add(known, "user:" + user, "quota"));
    control.keys().idsWith(text, size).forEach(id -> add(known, "key:" + id, "key"));
    for (ListedClient block : gate.blocks().entries()) {
      addIfWith(text, known, block.client(), "block");
    }
    for (ListedClient exemption : gate.exemptions().entries()) {
      addIfWith(text, known, exemption.client(), "exemption");
    }
    metrics.refusedClients(MOST_REFUSED).forEach(id -> addIfWith(text, known, id, "refused"));
    List<String> clients = new ArrayList<>();
    String named = named(text);
    if (named != null) {
      clients.add(named);
    }
    known.keySet().stream().filter(id -> !id.equals(named)).forEach(clients::add);
    return new JsonText()
        .putObjects(
            "items",
            clients.subList(0, Math.min(size, clients.size())),
            (each, id) ->
                each.put("client", id)
                    .put("known_as", List.copyOf(known.getOrDefault(id, Set.of()))))
        .putRaw("next", "null")
        .toString();
  }

  private static void addIfWith(
      String text, Map<String, Set<String>> known, String client, String as) {
    if (client.toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT))) {
      add(known, client, as);
    }
  }

  private static void add(Map<String, Set<String>> known, String client, String as) {
    known.computeIfAbsent(client, added -> new TreeSet<>()).add(as);
  }

  private @Nullable String named(String text) {
    try {
      return client(text).id();
    } catch (MalformedRequestException noClient) {
      return null;
    }
  }

  private Client client(String id) {
    return Client.parse(id, live.get().config().client().ipv6Prefix());
  }

  private void show(Exchange exchange) {
    Client asked = client(exchange.parameter());
    Live now = live.get();
    exchange.after(
        now.known().awaited(asked),
        () ->
            exchange.when(
                gate.usage(AdminService.completed(asked, now)),
                usage ->
                    AdminCall.onDatabase(
                        exchange,
                        () -> json(asked, now.known().complete(asked), usage),
                        exchange::json)));
  }

  /**
   * All that is known of a client.
   *
   * @param asked as it was named
   * @param client with all that requests of it would be given
   */
  private String json(Client asked, Client client, Usage usage) {
    Instant now = Instant.EPOCH.plus(time.nowMicros(), ChronoUnit.MICROS);
    JsonText text = new JsonText().put("client", asked.id());
    String tier = client.tier();
    AdminCall.putOrNull(
        text, "tier", tier == null ? gate.policy().definition().defaultTier() : tier);
    text.putRaw("block", listed(gate.blocks().find(client)));
    text.putRaw("exemption", listed(exemption(client)));
    AdminService.put(text, usage);
    String user = client.user();
    QuotaRow quota = user == null ? null : control.quotas().get(user);
    text.putRaw("quota", quota == null ? "null" : AdminQuotas.json(quota, now));
    return text.putRaw(
            "keys",
            keys(asked, user).stream()
                .map(row -> AdminKeys.json(row).toString())
                .collect(Collectors.joining(", ", "[", "]")))
        .toString();
  }

  private @Nullable ListedClient exemption(Client client) {
    ListedClient listed = gate.exemptions().find(client);
    return listed == null && gate.policy().isExempt(client)
        ? new ListedClient(client.id(), "in the file", null)
        : listed;
  }

  /** That key alone, if it is a key that is asked for; else all of the user's. */
  private List<KeyRow> keys(Client asked, @Nullable String user) {
    String id = asked.key();
    if (id != null) {
      KeyRow row = control.keys().get(id);
      return row == null ? List.of() : List.of(row);
    }
    return user == null ? List.of() : control.keys().list(user, null, Page.MOST).items();
  }

  private static String listed(@Nullable ListedClient listed) {
    if (listed == null) {
      return "null";
    }
    JsonText text = new JsonText().put("client", listed.client()).put("reason", listed.reason());
    Instant until = listed.until();
    AdminCall.putOrNull(text, "until", until == null ? null : until.toString());
    return text.toString();
  }
}
