package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A change over HTTP that can be seen in what instances decide.
 *
 * @param what it is, in words
 * @param make makes it; returns when it was acknowledged
 * @param look asks an instance
 * @param before what an instance says until it knows of the change
 * @param after what it says from then on
 */
record VisibleChange(
    String what, Runnable make, Function<Instance, String> look, String before, String after) {
  private static final String KEY_LIMIT = "5000";

  /**
   * One of a series in which each fifth is of the same kind; of five, the third takes back the
   * first and the fourth the second.
   *
   * @param changed where it is made
   * @param usualLimit the limit of those who have no key
   */
  static VisibleChange of(int number, Instance changed, String usualLimit) {
    int round = number / 5;
    Caller caller = changed.caller;
    String rule = "rule" + round;
    String user = "user" + round;
    return switch (number % 5) {
      case 0 -> added("a rule is added", () -> changed.addRule(rule), onPath(rule));
      case 1 -> added("a user is blocked", () -> changed.block(user), ofUser(user));
      case 2 ->
          removed(
              "a rule is removed", () -> caller.delete("/v1/admin/rules/" + rule), onPath(rule));
      case 3 ->
          removed(
              "a user is no longer blocked",
              () -> caller.delete("/v1/admin/blocks/user:" + user),
              ofUser(user));
      default -> revocation(user, changed, usualLimit);
    };
  }

  private static Function<Instance, String> onPath(String rule) {
    return instance -> instance.decision("/" + rule, "alice");
  }

  private static Function<Instance, String> ofUser(String user) {
    return instance -> instance.decision("/", user);
  }

  private static VisibleChange added(
      String what, Supplier<Caller.Reply> call, Function<Instance, String> look) {
    return new VisibleChange(what, () -> acknowledged(call.get()), look, "allowed", "blocked");
  }

  private static VisibleChange removed(
      String what, Supplier<Caller.Reply> call, Function<Instance, String> look) {
    return new VisibleChange(what, () -> acknowledged(call.get()), look, "blocked", "allowed");
  }

  /** Whoever shows a key that is not known has the limit of everybody. */
  private static VisibleChange revocation(String user, Instance changed, String usualLimit) {
    Instance.NewKey key = changed.makeKey(user, KEY_LIMIT + "/h");
    return new VisibleChange(
        "a key is revoked",
        () -> acknowledged(changed.caller.delete("/v1/admin/keys/" + key.id())),
        instance -> instance.limitWithKey(key.text()),
        KEY_LIMIT,
        usualLimit);
  }

  private static void acknowledged(Caller.Reply reply) {
    assertThat(reply.status()).as(reply.body()).isBetween(200, 201);
  }
}
