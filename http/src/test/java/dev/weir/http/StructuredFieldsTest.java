package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.Conditions;
import dev.weir.policy.Endpoint;
import dev.weir.policy.Gate;
import dev.weir.policy.PathPattern;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.Request;
import dev.weir.policy.Rule;
import dev.weir.policy.Scope;
import dev.weir.policy.Tier;
import dev.weir.policy.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.greenbytes.http.sfv.Item;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The IETF's fields, read by a parser of structured fields that is not ours. */
class StructuredFieldsTest {
  private static final Client CLIENT = Client.at(Address.parse("192.0.2.9"), 64);

  /** The day on which Berlin's clocks go forward, at 14:00:30 there. */
  private static final Instant START = Instant.parse("2026-03-29T12:00:30Z");

  private final ManualTime time = TimeSource.manual(START);

  private static List<String> parsed(String field) {
    List<String> items = new ArrayList<>();
    for (ListElement<?> element : Parser.parseList(field).get()) {
      assertThat(element).isInstanceOf(StringItem.class);
      StringBuilder text = new StringBuilder(String.valueOf(element.get()));
      element
          .getParams()
          .forEach((String name, Item<?> value) -> text.append(" " + name + "=" + value.get()));
      items.add(text.toString());
    }
    return items;
  }

  private static List<String> policy(Verdict verdict) {
    return parsed(
        Answer.to(verdict, Fixtures.responses()).fields().getOrDefault("RateLimit-Policy", ""));
  }

  private static List<String> standing(Verdict verdict) {
    return parsed(Answer.to(verdict, Fixtures.responses()).fields().getOrDefault("RateLimit", ""));
  }

  private static Rule rule(String name, String... limits) {
    return Rule.throttle(name, Conditions.none(), Stream.of(limits).map(Limit::parse).toList());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "10/m,                                     q=10 w=60,       r=9 t=6",
    "10/m burst 30,                            q=30 w=180,      r=29 t=6",
    "100/s,                                    q=100 w=1,       r=99 t=1",
    "100/s burst 20,                           q=20,            r=19 t=1",
    "3/s burst 10,                             q=10 w=4,        r=9 t=1",
    "1/h burst 1,                              q=1 w=3600,      r=0 t=3600",
    "1000000000000/s burst 999999999999,       q=999999999999 w=1, r=999999999998 t=1",
    "10/60s fixed_window,                      q=10 w=60,       r=9 t=30",
    "10/1500ms fixed_window,                   q=10 w=2,        r=9 t=2",
    "10/250ms fixed_window,                    q=10,            r=9 t=1",
    "10/60s fixed_window align first_request,  q=10 w=60,       r=9 t=60",
    "10/d fixed_window,                        q=10 w=86400,    r=9 t=43170",
    "10/d fixed_window zone Europe/Berlin,     q=10 w=82800,    r=9 t=35970",
    "10/week fixed_window,                     q=10 w=604800,   r=9 t=43170",
    "10/week fixed_window zone Europe/Berlin,  q=10 w=601200,   r=9 t=35970",
    "10/month fixed_window,                    q=10 w=2678400,  r=9 t=215970",
    "10/month fixed_window zone Europe/Berlin, q=10 w=2674800,  r=9 t=208770",
    "10/60s sliding_window,                    q=10 w=60,       r=9 t=90",
    "10/250ms sliding_window,                  q=10,            r=9 t=1",
    "10/60s sliding_log,                       q=10 w=60,       r=9 t=60",
    "10/999ms sliding_log,                     q=10,            r=9 t=1"
  })
  void everyKindOfLimitHasItsItem(String limit, String policy, String standing) {
    Gate gate = Fixtures.gate(time, Fixtures.definition(Limit.parse(limit)));
    Verdict verdict = gate.check(Request.of("GET", "/", CLIENT));
    assertThat(policy(verdict)).as(limit).containsExactly("default " + policy);
    assertThat(standing(verdict)).as(limit).containsExactly("default " + standing);
  }

  @Test
  void aRefusalSaysThatNothingIsLeft() {
    Gate gate = Fixtures.gate(time, Fixtures.definition(Limit.parse("2/10m")));
    gate.check(Request.of("GET", "/", CLIENT));
    gate.check(Request.of("GET", "/", CLIENT));
    Verdict refused = gate.check(Request.of("GET", "/", CLIENT));
    assertThat(refused.retryAfterSeconds()).isEqualTo(300);
    assertThat(standing(refused))
        .as("the bucket is full after 600 s, and the client may come back before")
        .containsExactly("default r=0 t=300");
  }

  @Test
  void severalLimitsOfARuleAreNumbered() {
    Gate gate =
        Fixtures.gate(
            time,
            Fixtures.definition(
                Limit.perSecond(1),
                rule("api", "10/s", "100/m sliding_window", "1000/d fixed_window"),
                rule("b", "5/s")));
    Verdict verdict = gate.check(Request.of("GET", "/", CLIENT));
    assertThat(policy(verdict))
        .containsExactly("api q=10 w=1", "api#2 q=100 w=60", "api#3 q=1000 w=86400", "b q=5 w=1");
    assertThat(standing(verdict))
        .containsExactly("api r=9 t=1", "api#2 r=99 t=90", "api#3 r=999 t=43170", "b r=4 t=1");
  }

  @Test
  void endpointsGoByTheirNamesAndNoNameComesTwice() {
    Endpoint chat =
        new Endpoint(
            "chat",
            List.of(PathPattern.parse("/chat")),
            new TreeSet<>(),
            Limit.parse("10/60s"),
            Scope.CLIENT);
    Tier free = new Tier("free", Limit.perMinute(20), new TreeMap<>());
    Gate gate = Fixtures.gate(time, with(List.of(free), List.of(chat), rule("chat", "7/s")));
    assertThat(policy(gate.check(Request.of("GET", "/chat", CLIENT))))
        .containsExactly("chat q=7 w=1", "chat#2 q=10 w=60");
    assertThat(policy(gate.check(Request.of("GET", "/", CLIENT.withTier("free")))))
        .containsExactly("chat q=7 w=1", "tier:free q=20 w=60");
  }

  @Test
  void patternsBeyondAsciiAreEncoded() {
    TreeMap<PathPattern, Long> paths = new TreeMap<>();
    paths.put(PathPattern.parse("/größe/\"x\""), 3L);
    Tier free = new Tier("free", Limit.perMinute(20), paths);
    Gate gate = Fixtures.gate(time, with(List.of(free), List.of()));
    Verdict verdict = gate.check(Request.of("GET", "/größe/\"x\"", CLIENT.withTier("free")));
    assertThat(policy(verdict)).containsExactly("tier:free:/gr%C3%B6%C3%9Fe/\"x\" q=3 w=60");
  }

  private static PolicyDefinition with(List<Tier> tiers, List<Endpoint> endpoints, Rule... rules) {
    PolicyDefinition plain = Fixtures.definition(Limit.perSecond(1), rules);
    return new PolicyDefinition(
        true,
        null,
        plain.defaultLimit(),
        tiers,
        endpoints,
        plain.rules(),
        null,
        plain.exempt(),
        plain.unknownClients(),
        plain.failureMode(),
        1);
  }
}
