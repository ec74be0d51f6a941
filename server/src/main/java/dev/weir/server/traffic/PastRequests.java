package dev.weir.server.traffic;

import dev.weir.TimeSource;
import dev.weir.backtest.LoggedRequest;
import dev.weir.control.audit.AuditQueries;
import dev.weir.policy.Client;
import dev.weir.policy.config.Config;
import dev.weir.policy.config.EventType;
import dev.weir.policy.config.TrafficSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Requests of the last while, in the order of their times, and what one has to know of them.
 *
 * @param source where they were found
 * @param requests they
 * @param fields the header fields that they have, if they were sent, in lower case
 * @param notes why there are fewer than there were in life, each in words
 */
public record PastRequests(
    Source source, List<LoggedRequest> requests, Set<String> fields, List<String> notes) {
  public PastRequests {
    requests = List.copyOf(requests);
    fields = Set.copyOf(fields);
    notes = List.copyOf(notes);
  }

  /** Where requests are found. */
  public enum Source {
    /** In memory. */
    TRAFFIC("traffic"),
    /** In the database. */
    AUDIT("audit");

    private final String text;

    Source(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * Finds those of the last while.
   *
   * @param wanted where; null: in memory if requests are kept there, else in the audit
   * @param known adds what is known of a client that the audit names
   * @throws dev.weir.control.database.DatabaseException if they are in the audit, and the database
   *     cannot be used
   */
  public static PastRequests find(
      @Nullable Source wanted,
      Duration last,
      KeptTraffic traffic,
      AuditQueries audit,
      Config config,
      UnaryOperator<Client> known,
      TimeSource time) {
    Instant from = Instant.EPOCH.plus(time.nowMicros(), ChronoUnit.MICROS).minus(last);
    Source auto = traffic.settings().isOn() ? Source.TRAFFIC : Source.AUDIT;
    return (wanted == null ? auto : wanted) == Source.TRAFFIC
        ? ofTraffic(traffic, from, last)
        : ofAudit(audit, from, config, known);
  }

  private static PastRequests ofTraffic(KeptTraffic traffic, Instant from, Duration last) {
    TrafficSettings settings = traffic.settings();
    List<LoggedRequest> found = traffic.since(ChronoUnit.MICROS.between(Instant.EPOCH, from));
    List<String> notes = new ArrayList<>();
    if (!settings.isOn()) {
      notes.add("no requests are kept; traffic.keep says for how long they are");
    } else if (settings.keep().compareTo(last) < 0) {
      notes.add("requests are kept for " + settings.keep().toMinutes() + " minutes only");
    }
    if (settings.isOn() && traffic.isFull()) {
      notes.add("only the latest %,d requests are kept".formatted(settings.maxRequests()));
    }
    if (settings.isOn() && settings.clients() < 1) {
      notes.add("requests of %s %% of the clients are kept".formatted(100 * settings.clients()));
    }
    return new PastRequests(Source.TRAFFIC, found, traffic.fields(), notes);
  }

  private static PastRequests ofAudit(
      AuditQueries audit, Instant from, Config config, UnaryOperator<Client> known) {
    List<LoggedRequest> found =
        new AuditedRequests(audit, config.client().ipv6Prefix(), known).since(from);
    List<String> notes = new ArrayList<>();
    if (!config.audit().decisions().contains(EventType.ALLOWED)) {
      notes.add(
          "the audit has no allowed requests, so limits see far less than in life; set traffic.keep,"
              + " or add \"allowed\" to audit.decisions");
    }
    if (found.size() >= AuditedRequests.MOST) {
      notes.add("only the latest %,d requests are looked at".formatted(found.size()));
    }
    return new PastRequests(Source.AUDIT, found, Set.of(), notes);
  }
}
