package dev.weir.control.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.MemoryCounterStore;
import dev.weir.TimeSource;
import dev.weir.control.change.ChangeRefused;
import dev.weir.control.change.ChangeRefused.Kind;
import dev.weir.control.testing.Databases;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.Gate;
import dev.weir.policy.Policy;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.Request;
import dev.weir.policy.config.ConfigException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What holds for rows on every database, whoever has written them. */
abstract class ConfigurationRowsContract extends ConfigurationContract {
  ConfigurationRowsContract(Databases databases) {
    super(databases);
  }

  @Test
  void randomRulesTiersAndEndpointsComeBackEqual() {
    RandomParts random = new RandomParts(7);
    Map<String, Object> parts = new LinkedHashMap<>();
    database
        .jdbi()
        .useTransaction(
            handle -> {
              Rows rows = new Rows(handle);
              for (int i = 0; i < 200; i++) {
                var tier = random.tier();
                var endpoint = random.endpoint();
                var rule = random.rule();
                parts.put("tier:" + tier.name(), tier);
                parts.put("endpoint:" + endpoint.name(), endpoint);
                parts.put("rule:" + rule.name(), rule);
                rows.insert(
                    EntryKind.TIER, TierColumns.INSTANCE.of(tier, Map.of("limit", "")), "alice");
                rows.insert(
                    EntryKind.ENDPOINT, EndpointColumns.INSTANCE.of(endpoint, Map.of()), "alice");
                rows.insert(EntryKind.RULE, RuleColumns.INSTANCE.of(rule, Map.of()), "alice");
              }
            });
    assertThat(
            new EntryReader()
                .read(StoredConfiguration.read(database).entries(), Limit.parse("1/s")))
        .containsExactlyInAnyOrderEntriesOf(parts);
  }

  @Test
  void rulesWrittenByHandHoldAsTheyRead() {
    execute(
        """
        INSERT INTO rate_limit_rules
          (rule_name, priority, user_tier, algorithm, requests_per_hour, burst_size)
        VALUES ('free_tier_limit', 700, 'free', 'token_bucket', 1000, 20)
        """);
    execute(
        """
        INSERT INTO rate_limit_rules
          (rule_name, priority, endpoint_pattern, algorithm, requests_per_second)
        VALUES ('api_v1_limit', 600, '/api/v1/*', 'sliding_window', 100)
        """);
    file = FileText.parse("");
    PolicyDefinition policy = merged().policy();
    assertThat(policy.rules())
        .extracting(rule -> rule.name() + " " + rule.priority() + " " + rule.limits())
        .containsExactlyInAnyOrder(
            "free_tier_limit 700 [1000/h burst 20]", "api_v1_limit 600 [100/s sliding_window]");
    TimeSource clock = TimeSource.manual(Instant.parse("2026-11-16T05:00:00Z"));
    Gate gate = new Gate(Policy.compile(policy), new MemoryCounterStore(clock, 1_000));
    Client free = Client.at(Address.parse("192.0.2.1"), 64).withUser("12345").withTier("free");
    Client other = Client.at(Address.parse("192.0.2.2"), 64).withUser("67890");
    assertThat(allowed(gate, Request.of("GET", "/elsewhere", free), 30)).isEqualTo(20);
    assertThat(allowed(gate, Request.of("GET", "/api/v1/users", other), 150)).isEqualTo(100);
    assertThat(gate.check(Request.of("GET", "/api/v1/users", other)).rule())
        .isEqualTo("api_v1_limit");
  }

  private static long allowed(Gate gate, Request request, int times) {
    return IntStream.range(0, times).filter(i -> gate.check(request).isAllowed()).count();
  }

  @Test
  @DisplayName("T66: a row without a meaning is named, and can be mended")
  void aRowWithoutAMeaningIsNamedAndCanBeMended() {
    store.create("alice", EntryKind.TIER, Map.of("name", "pro", "limit", "5/s"));
    execute("update tiers set limit_text = '5/parsec'");
    execute(
        "insert into rate_limit_rules (rule_name, requests_per_hour, match_more)"
            + " values ('odd', 1, '{\"planet\": [\"mars\"], \"user\": [7]}')");
    assertThatThrownBy(this::merged)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "tiers \"pro\": limit: limit \"5/parsec\": period \"parsec\" is unknown")
        .hasMessageContaining("rate_limit_rules \"odd\": match.planet: is unknown")
        .hasMessageContaining("rate_limit_rules \"odd\": match.user: must be an array of strings");
    assertThat(store.list(EntryKind.RULE)).hasSize(2);
    assertThatThrownBy(() -> store.create("alice", EntryKind.TIER, Map.of("name", "max")))
        .isInstanceOfSatisfying(
            ChangeRefused.class, refused -> assertThat(refused.kind()).isEqualTo(Kind.CONFLICT));
    execute("delete from rate_limit_rules");
    store.update("alice", EntryKind.TIER, "pro", Map.of("limit", "5/s"), null);
    assertThat(merged().policy().tiers()).hasSize(2);
  }

  @Test
  void aNameThatTheFileTakesLaterIsAMistakeOfBoth() {
    store.create("alice", EntryKind.TIER, Map.of("name", "pro", "limit", "5/s"));
    file = FileText.parse("[[tier]]\nname = \"pro\"\nlimit = \"1/s\"");
    assertThatThrownBy(this::merged)
        .hasMessage("tiers \"pro\": name: must be new, but tier \"pro\" is in the file");
  }
}
