package dev.weir.server.traffic;

import dev.weir.backtest.LoggedRequest;
import dev.weir.control.audit.AuditColumn;
import dev.weir.control.audit.AuditEntry;
import dev.weir.control.audit.AuditFilter;
import dev.weir.control.audit.AuditPage;
import dev.weir.control.audit.AuditQueries;
import dev.weir.control.audit.AuditRecord;
import dev.weir.policy.Address;
import dev.weir.policy.Cause;
import dev.weir.policy.Client;
import dev.weir.policy.Headers;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.Outcome;
import dev.weir.policy.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Requests that the audit has kept, as requests again. */
final class AuditedRequests {
  /** How many are read at most, the latest ones. */
  static final int MOST = 100_000;

  private final AuditQueries audit;
  private final int ipv6Prefix;
  private final UnaryOperator<Client> known;

  /**
   * Requests of an audit.
   *
   * @param ipv6Prefix how many bits of IPv6 clients tell them apart
   * @param known adds what is known of a client
   */
  AuditedRequests(AuditQueries audit, int ipv6Prefix, UnaryOperator<Client> known) {
    this.audit = audit;
    this.ipv6Prefix = ipv6Prefix;
    this.known = known;
  }

  /** Those since that instant, in the order of their times; waits for the database. */
  List<LoggedRequest> since(Instant from) {
    AuditFilter filter = AuditFilter.ALL.between(from, null);
    List<LoggedRequest> requests = new ArrayList<>();
    String cursor = null;
    do {
      AuditPage page = audit.page(filter, cursor, AuditQueries.MOST_ENTRIES);
      for (AuditEntry entry : page.entries()) {
        LoggedRequest request = logged(entry.record());
        if (request != null) {
          requests.add(request);
        }
      }
      cursor = page.next();
    } while (cursor != null && requests.size() < MOST);
    Collections.reverse(requests);
    return requests;
  }

  /** Null if it cannot be told any more what was asked. */
  private @Nullable LoggedRequest logged(AuditRecord record) {
    String path = record.text(AuditColumn.PATH);
    String method = record.text(AuditColumn.HTTP_METHOD);
    if (path == null || method == null) {
      return null;
    }
    try {
      Request request =
          new Request(
              method,
              path,
              known.apply(client(record)),
              record.number(AuditColumn.COST),
              Headers.none());
      return new LoggedRequest(
          record.number(AuditColumn.TIMESTAMP),
          request,
          named(Outcome.values(), record.text(AuditColumn.DECISION)),
          named(Cause.values(), record.text(AuditColumn.REASON)),
          record.text(AuditColumn.RULE_NAME));
    } catch (MalformedRequestException cut) {
      return null;
    }
  }

  private Client client(AuditRecord record) {
    String ip = record.text(AuditColumn.IP_ADDRESS);
    Address address = ip == null ? null : Address.parseOrNull(ip);
    Client client = address == null ? Client.unknown() : Client.at(address, ipv6Prefix);
    String user = record.text(AuditColumn.USER_ID);
    client = user == null ? client : client.withUser(user);
    String key = record.text(AuditColumn.API_KEY_ID);
    client = key == null ? client : client.withKey(key);
    String tier = record.text(AuditColumn.TIER);
    return tier == null ? client : client.withTier(tier);
  }

  private static <E extends Enum<E>> @Nullable E named(E[] all, @Nullable String text) {
    for (E each : all) {
      if (Objects.equals(each.toString(), text)) {
        return each;
      }
    }
    return null;
  }
}
