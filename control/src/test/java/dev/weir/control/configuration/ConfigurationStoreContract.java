package dev.weir.control.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.control.change.ChangeRefused;
import dev.weir.control.change.ChangeRefused.Flaw;
import dev.weir.control.change.ChangeRefused.Kind;
import dev.weir.control.testing.Databases;
import dev.weir.policy.ListedClient;
import dev.weir.policy.Rule;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What holds for changes of rules, tiers, endpoints, blocks and exemptions on every database. */
abstract class ConfigurationStoreContract extends ConfigurationContract {
  ConfigurationStoreContract(Databases databases) {
    super(databases);
  }

  private static void assertRefused(ThrowingCallable change, Kind kind, Flaw... flaws) {
    assertThatThrownBy(change)
        .isInstanceOfSatisfying(
            ChangeRefused.class,
            refused -> {
              assertThat(refused.flaws()).containsExactly(flaws);
              assertThat(refused.kind()).isEqualTo(kind);
            });
  }

  private static Entry.Row row(Entry entry) {
    return Objects.requireNonNull(entry.row());
  }

  @Test
  void aRuleIsMadeChangedAndRemoved() {
    Entry made =
        store.create(
            "alice",
            EntryKind.RULE,
            Map.of(
                "name",
                "api_v1",
                "priority",
                600L,
                "match",
                Map.of("path", "/api/v1/**", "method", List.of("GET", "POST")),
                "limits",
                List.of("100/s", "1000/h"),
                "algorithm",
                "sliding_window",
                "response",
                Map.of("status", 429L, "message", "slow down", "retry_after", 30L)));
    assertThat(row(made).version()).isEqualTo(1);
    assertThat(row(made).createdBy()).isEqualTo("alice");
    assertThat(made.isOfFile()).isFalse();
    assertThat(made.document())
        .containsEntry("limits", List.of("100/s", "1000/h"))
        .containsEntry("algorithm", "sliding_window")
        .containsEntry(
            "match", Map.of("path", List.of("/api/v1/**"), "method", List.of("GET", "POST")));
    Rule rule = merged().policy().rules().get(1);
    assertThat(rule.limits())
        .containsExactly(Limit.parse("100/s sliding_window"), Limit.parse("1000/h sliding_window"));
    assertThat(store.get(EntryKind.RULE, "api_v1")).isEqualTo(made);
    assertThat(store.list(EntryKind.RULE))
        .extracting(Entry::name)
        .containsExactly("api_v1", "from_file");

    Entry changed =
        store.update(
            "bob", EntryKind.RULE, "api_v1", Map.of("action", "block", "priority", 3L), 1L);
    assertThat(row(changed).version()).isEqualTo(2);
    assertThat(row(changed).createdBy()).isEqualTo("alice");
    assertThat(row(changed).updatedBy()).isEqualTo("bob");
    assertThat(row(changed).updatedAt()).isAfterOrEqualTo(row(changed).createdAt());
    assertThat(changed.document())
        .containsEntry("action", "block")
        .doesNotContainKeys("limits", "match", "response");

    store.delete("bob", EntryKind.RULE, "api_v1", null);
    assertThat(store.list(EntryKind.RULE)).extracting(Entry::name).containsExactly("from_file");
    assertThat(acts())
        .containsExactly(
            "alice rule.create rule:api_v1",
            "bob rule.update rule:api_v1",
            "bob rule.delete rule:api_v1");
  }

  @Test
  void theOtherKindsAreMadeToo() {
    store.create(
        "alice",
        EntryKind.TIER,
        Map.of("name", "pro", "limit", 500L, "window", "60s", "endpoints", Map.of("/chat", 5L)));
    store.create("alice", EntryKind.TIER, Map.of("name", "plain"));
    store.create(
        "alice",
        EntryKind.ENDPOINT,
        Map.of("name", "upload", "paths", List.of("/up/**"), "methods", "post", "limit", "2/m"));
    store.create(
        "alice",
        EntryKind.BLOCK,
        Map.of("client", "ip:10.0.0.1/32", "reason", "scan", "until", "2026-12-01T00:00:00.5Z"));
    store.create("alice", EntryKind.EXEMPTION, Map.of("client", "user:monitor"));
    MergedPolicy merged = merged();
    assertThat(merged.version()).isEqualTo(5);
    assertThat(merged.blocks())
        .containsExactly(
            new ListedClient("ip:10.0.0.1", "scan", Instant.parse("2026-12-01T00:00:00.5Z")));
    assertThat(merged.exemptions()).containsExactly(new ListedClient("user:monitor", "", null));
    assertThat(merged.policy().tiers())
        .extracting(tier -> tier.name() + " " + tier.limit())
        .containsExactly("free 50/m", "plain 100/m", "pro 500/60s");
    assertThat(merged.policy().endpoints().get(1).methods()).containsExactly("POST");
    assertThat(store.get(EntryKind.BLOCK, "ip:10.0.0.1/32").name()).isEqualTo("ip:10.0.0.1");
    assertThat(store.list(EntryKind.EXEMPTION))
        .extracting(entry -> entry.name() + " " + entry.isOfFile())
        .containsExactly("ip:10.9.0.0/16 true", "user:monitor false");
    // What follows the default limit goes on following it.
    file = FileText.parse("[default]\nlimit = \"7/s\"");
    assertThat(merged().policy().tiers())
        .extracting(tier -> tier.name() + " " + tier.limit())
        .containsExactly("plain 7/s", "pro 500/60s");
  }

  @Test
  void everyMistakeOfADocumentIsNamedByItsField() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("name", "a b");
    document.put("limits", List.of("100/s", "7/x"));
    document.put("prioriti", 5L);
    document.put("mode", "off");
    document.put("match", Map.of("ip", List.of("10.0.0.1/8", "::1"), "method", "A B"));
    assertThatThrownBy(() -> store.create("alice", EntryKind.RULE, document))
        .isInstanceOfSatisfying(
            ChangeRefused.class,
            refused -> {
              assertThat(refused.kind()).isEqualTo(Kind.INVALID);
              assertThat(refused.flaws())
                  .extracting(Flaw::field)
                  .containsExactlyInAnyOrder(
                      "name", "limits[1]", "prioriti", "mode", "match.ip[0]", "match.method");
              assertThat(refused.getMessage())
                  .contains("mode must be enforce or shadow, got \"off\"")
                  .contains("prioriti is unknown; did you mean priority")
                  .doesNotContain("rule[0]")
                  .doesNotContain(":1:");
            });
    assertThat(acts()).isEmpty();
  }

  @Test
  void whatIsMissingOrOfTheWrongTypeIsNamedToo() {
    assertRefused(
        () -> store.create("alice", EntryKind.RULE, Map.of("action", "block")),
        Kind.INVALID,
        new Flaw("name", "is missing; every rule has one"));
    assertRefused(
        () -> store.create("alice", EntryKind.TIER, Map.of("name", "pro", "endpoints", true)),
        Kind.INVALID,
        new Flaw("endpoints", "must be a table, got true"));
    assertRefused(
        () -> store.create("alice", EntryKind.BLOCK, Map.of("client", "eve", "until", "soon")),
        Kind.INVALID,
        new Flaw("until", "must be a time such as 2026-12-01T00:00:00Z, got \"soon\""),
        new Flaw("client", "must be user:<id>, key:<id> or ip:<address or range>, got \"eve\""));
    assertRefused(
        () -> store.create("alice", EntryKind.BLOCK, Map.of("reason", 7L, "by", "me")),
        Kind.INVALID,
        new Flaw("by", "is unknown; there are client, reason and until"),
        new Flaw("client", "is missing; write user:<id>, key:<id> or ip:<address or range>"),
        new Flaw("reason", "must be a string, got 7"));
    assertRefused(
        () ->
            store.create(
                "alice",
                EntryKind.RULE,
                Map.of("name", "a", "action", "block", "match", Map.of("user", "a\0b"))),
        Kind.INVALID,
        new Flaw("match.user", "must be text without NUL or half a character"));
  }

  @Test
  void whatTheFileHasCanBeReadAndNotChanged() {
    Entry rule = store.get(EntryKind.RULE, "from_file");
    assertThat(rule.isOfFile()).isTrue();
    assertThat(rule.document())
        .containsEntry("limits", List.of("9/s"))
        .containsEntry("match", Map.of("path", List.of("/file/**")));
    Flaw ofFile =
        new Flaw("name", "rule \"from_file\" is in the file, and can be changed only there");
    Map<String, Object> document = Map.of("name", "from_file", "action", "block");
    assertRefused(() -> store.create("alice", EntryKind.RULE, document), Kind.CONFLICT, ofFile);
    assertRefused(
        () -> store.update("alice", EntryKind.RULE, "from_file", document, null),
        Kind.CONFLICT,
        ofFile);
    assertRefused(
        () -> store.delete("alice", EntryKind.RULE, "from_file", null), Kind.CONFLICT, ofFile);
    assertThatThrownBy(
            () -> store.create("alice", EntryKind.EXEMPTION, Map.of("client", "ip:10.9.0.0/16")))
        .hasMessageContaining("exemption \"ip:10.9.0.0/16\" is in the file");
  }

  @Test
  void namesAndVersionsOfOthersAreRespected() {
    store.create("alice", EntryKind.TIER, Map.of("name", "pro", "limit", "5/s"));
    assertRefused(
        () -> store.create("bob", EntryKind.TIER, Map.of("name", "pro")),
        Kind.CONFLICT,
        new Flaw("name", "must be new, but there is a tier \"pro\" already"));
    store.update("alice", EntryKind.TIER, "pro", Map.of("limit", "6/s"), 1L);
    assertRefused(
        () -> store.update("bob", EntryKind.TIER, "pro", Map.of("limit", "7/s"), 1L),
        Kind.PRECONDITION,
        new Flaw("version", "of tier:pro must be 2, which it is now, got 1"));
    assertRefused(
        () -> store.delete("bob", EntryKind.TIER, "pro", 1L),
        Kind.PRECONDITION,
        new Flaw("version", "of tier:pro must be 2, which it is now, got 1"));
    assertThat(store.get(EntryKind.TIER, "pro").document()).containsEntry("limit", "6/s");
    assertRefused(
        () -> store.update("bob", EntryKind.TIER, "other", Map.of(), null),
        Kind.NOT_FOUND,
        new Flaw("", "there is no tier \"other\""));
    assertRefused(
        () -> store.get(EntryKind.BLOCK, "user:nobody"),
        Kind.NOT_FOUND,
        new Flaw("", "there is no block \"user:nobody\""));
    assertRefused(
        () -> store.update("bob", EntryKind.TIER, "pro", Map.of("name", "max"), null),
        Kind.INVALID,
        new Flaw("name", "must be \"pro\", since it cannot be changed, got \"max\""));
  }

  @Test
  void theWholeMustBeRightAfterEveryChange() {
    assertRefused(
        () ->
            store.create(
                "alice",
                EntryKind.RULE,
                Map.of("name", "r", "action", "block", "match", Map.of("endpoint", "upload"))),
        Kind.INVALID,
        new Flaw("match.endpoint", "must be the name of an endpoint, got \"upload\""));
    store.create("alice", EntryKind.ENDPOINT, Map.of("name", "upload", "paths", "/up"));
    store.create(
        "alice",
        EntryKind.RULE,
        Map.of(
            "name",
            "r",
            "action",
            "block",
            "match",
            Map.of("endpoint", List.of("upload", "chat"))));
    assertRefused(
        () -> store.delete("alice", EntryKind.ENDPOINT, "upload", null),
        Kind.CONFLICT,
        new Flaw(
            "",
            "rate_limit_rules \"r\": match.endpoint: must be the name of an endpoint, got \"upload\""));
    assertThat(acts()).hasSize(2);
    assertThat(merged().policy().rules()).hasSize(2);
  }

  @Test
  void aDryRunSaysWhatWouldBeAndChangesNothing() {
    String before = merged().policyVersion();
    Edit edit =
        new Edit.Create(
            EntryKind.RULE, Map.of("name", "r", "action", "block", "match", Map.of("tier", "pro")));
    Edit.Outcome outcome = store.tryOut("alice", edit);
    assertThat(outcome.entry()).isNotNull();
    assertThat(outcome.merged().policy().rules())
        .extracting(Rule::name)
        .containsExactly("from_file", "r");
    assertThat(outcome.merged().policyVersion()).isNotEqualTo(before);
    assertThat(outcome.merged().warnings())
        .containsExactly(
            "rate_limit_rules \"r\": match.tier: \"pro\" is not defined; it holds for clients whose token or key says so");
    assertThat(merged().policyVersion()).isEqualTo(before);
    assertThat(acts()).isEmpty();
    Edit.Outcome made = store.make("alice", edit);
    assertThat(made.merged().policyVersion()).isEqualTo(outcome.merged().policyVersion());
    assertThat(merged().policyVersion()).isEqualTo(outcome.merged().policyVersion());
    assertThat(store.tryOut("alice", new Edit.Delete(EntryKind.RULE, "r", 1L)).entry()).isNull();
    assertThat(merged().policyVersion()).isEqualTo(made.merged().policyVersion());
  }
}
