package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.Limit;
import dev.weir.MemoryCounterStore;
import dev.weir.policy.config.ConfigReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EffectiveRuleTest {
  private static final Policy POLICY =
      Policy.compile(
          ConfigReader.parse(
                  """
                  default_tier = "free"

                  [[tier]]
                  name = "free"
                  limit = "100/m"
                  endpoints = { "/odd" = 1 }

                  [[endpoint]]
                  name = "chat"
                  paths = ["/chat"]
                  limit = "1/m"
                  scope = "user"

                  [[rule]]
                  name = "low"
                  priority = 1
                  match = { path = ["/a", "/b/**"], header.x-beta = "1", ip = "10.0.0.0/8" }
                  limits = ["5/s", "9/h"]
                  mode = "shadow"

                  [[rule]]
                  name = "off"
                  priority = 5
                  action = "block"
                  enabled = false

                  [[rule]]
                  name = "high"
                  priority = 9
                  limits = ["1000/h"]
                  final = true
                  """,
                  "weir.toml",
                  Map.of())
              .policy());

  @Test
  void rulesAreToldInTheOrderOfTheWalk() {
    assertThat(POLICY.effectiveRules())
        .extracting(EffectiveRule::name, EffectiveRule::level, EffectiveRule::isEnabled)
        .containsExactly(
            tuple("high", "rule", true),
            tuple("off", "rule", false),
            tuple("low", "rule", true),
            tuple("tier:free:/odd", "tier path", true),
            tuple("endpoint:chat", "endpoint", true),
            tuple("tier:free", "tier", true),
            tuple("default", "default", true));
  }

  @Test
  void conditionsAreToldInWords() {
    EffectiveRule low = POLICY.effectiveRules().get(2);

    assertThat(low.match()).isEqualTo("path /a or /b/**, header.x-beta 1, ip 10.0.0.0/8");
    assertThat(low.limits()).containsExactly(Limit.parse("5/s"), Limit.parse("9/h"));
    assertThat(low.mode()).isEqualTo(Mode.SHADOW);
    assertThat(POLICY.effectiveRules().get(0).match()).isEmpty();
    assertThat(POLICY.effectiveRules().get(0).isFinal()).isTrue();
    assertThat(POLICY.effectiveRules().get(4).match()).isEqualTo("endpoint chat");
    assertThat(POLICY.effectiveRules().get(4).scope()).isEqualTo(Scope.USER);
  }

  @Test
  void aVerdictNamesTheRulesThatHadASay() {
    Policy policy =
        Policy.compile(POLICY.definition().withRules(POLICY.definition().rules().subList(0, 1)));
    Gate gate = new Gate(policy, new MemoryCounterStore());
    Verdict verdict = gate.check(Request.of("GET", "/chat", Client.unknown().withUser("alice")));
    List<String> rules = new ArrayList<>();
    for (int i = 0; i < verdict.ruleCount(); i++) {
      rules.add(verdict.ruleAt(i));
    }

    assertThat(rules).containsExactly("endpoint:chat");
  }
}
