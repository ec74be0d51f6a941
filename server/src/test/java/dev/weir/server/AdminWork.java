package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An admin who makes a change each time that it runs, on entries that nobody else touches, and
 * remembers which were acknowledged. For one thread at a time; others may read how many there are.
 */
final class AdminWork implements Runnable {
  private static final int MOST_RULES = 40;
  private static final int USERS = 20;
  private static final long PAUSE_MILLIS = 3;

  private final Caller caller;
  private final String name;
  private final SplittableRandom random;
  private final List<String> rules = new ArrayList<>();
  private final Map<String, Subject> subjects = new TreeMap<>();
  private int number;
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();

  /** What became of the changes of one entry. */
  private static final class Subject {
    int acknowledged;
    int unknown;

    /** What the entry may say now: what was acknowledged last, or what came after that. */
    final List<Integer> numbers = new ArrayList<>();
  }

  AdminWork(Caller caller, String name, SplittableRandom random) {
    this.caller = caller;
    this.name = name;
    this.random = random;
  }

  @Override
  public void run() {
    number++;
    switch (random.nextInt(4)) {
      case 0 -> rule();
      case 1 -> key();
      default -> quota();
    }
  }

  /** Makes changes again and again, until it is cancelled or one of them fails. */
  ScheduledFuture<?> start(ScheduledExecutorService threads) {
    return threads.scheduleWithFixedDelay(this, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  int acknowledged() {
    return acknowledged.get();
  }

  int refused() {
    return refused.get();
  }

  private void rule() {
    if (rules.size() < MOST_RULES) {
      String rule = name + "_" + number;
      if (change("rule:" + rule, "POST", "/v1/admin/rules", ruleNamed(rule), 201)) {
        rules.add(rule);
      }
    } else {
      String rule = rules.get(random.nextInt(rules.size()));
      change("rule:" + rule, "PUT", "/v1/admin/rules/" + rule, ruleNamed(rule), 200);
    }
  }

  private String ruleNamed(String rule) {
    return "{\"name\": \"%s\", \"match\": {\"path\": \"/never/%1$s\"}, \"limits\": [\"%d/s\"]}"
        .formatted(rule, number);
  }

  private void quota() {
    String user = name + "_" + random.nextInt(USERS);
    String body = "{\"hourly\": %d}".formatted(number);
    change("quota:" + user, "PUT", "/v1/admin/quotas/" + user, body, 200);
  }

  /** The id of a key is known only from the answer, so all have one name here. */
  private void key() {
    change("keys", "POST", "/v1/admin/keys", "{\"user\": \"%s\"}".formatted(name), 201);
  }

  /** Whether it was acknowledged; if it was not, that must be said as it is written down. */
  private boolean change(String subject, String method, String path, String body, int good) {
    Subject changed = subjects.computeIfAbsent(subject, missing -> new Subject());
    Caller.Reply reply = caller.call(method, path, body);
    if (reply.status() == good) {
      changed.acknowledged++;
      changed.numbers.clear();
      acknowledged.incrementAndGet();
    } else {
      requireUnavailable(reply);
      changed.unknown++;
      refused.incrementAndGet();
    }
    changed.numbers.add(number);
    return reply.status() == good;
  }

  /** What is answered while the database cannot be used. */
  static void requireUnavailable(Caller.Reply reply) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(503);
    assertThat(reply.field("Retry-After")).isEqualTo("1");
    assertThat(reply.json().get("error").asText()).isEqualTo("Service Unavailable");
    assertThat(reply.json().get("field").asText()).isEqualTo("database");
    assertThat(reply.json().get("message").asText()).startsWith("database cannot be used now; ");
  }

  /** Compares the entries of this admin, and the acts of all, with what is remembered. */
  void check(AdminState state) {
    Map<String, Integer> acts = new HashMap<>(state.actsOf(name));
    subjects.forEach(
        (subject, changes) -> {
          int recorded = acts.getOrDefault(subject, 0);
          assertThat(recorded)
              .as("acts of %s", subject)
              .isBetween(changes.acknowledged, changes.acknowledged + changes.unknown);
          assertThat(state.changesOf(subject, name)).as(subject).isEqualTo(recorded);
          if (recorded > 0 && !subject.equals("keys")) {
            assertThat(state.number(subject)).as(subject).isIn(changes.numbers);
          }
        });
    assertThat(subjects.keySet()).containsAll(acts.keySet());
  }
}
