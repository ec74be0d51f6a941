package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Who comes to the demo, on a clock of the test's own. */
class DemoVisitorsTest {
  private static final long STEP = 20_000;
  private static final long SECOND = 1_000_000;
  private static final List<String> KEYS = List.of("key-1", "key-2");

  private static List<DemoRequest> requests(double rate, long seed, int seconds) {
    List<DemoRequest> sent = new ArrayList<>();
    List<DemoVisitor> visitors = DemoVisitors.all(rate, seed, KEYS);
    for (long now = 0; now < seconds * SECOND; now += STEP) {
      for (DemoVisitor visitor : visitors) {
        visitor.visit(now, STEP, sent::add);
      }
    }
    return sent;
  }

  @Test
  void theSameSeedSendsTheSame() {
    assertThat(requests(50, 7, 10)).isEqualTo(requests(50, 7, 10)).isNotEmpty();
    assertThat(requests(50, 7, 10)).isNotEqualTo(requests(50, 8, 10));
  }

  @Test
  void overADayTheRateIsAboutTheOneWished() {
    assertThat(requests(200, 1, 300).size() / 300.0).isCloseTo(200, within(20.0));
    assertThat(requests(1, 1, 300).size() / 300.0).isCloseTo(1, within(0.3));
  }

  @Test
  void fewUsersAskForMost() {
    Map<String, Long> byUser =
        requests(200, 1, 60).stream()
            .filter(request -> request.tier() != null)
            .collect(
                Collectors.groupingBy(
                    request -> Objects.requireNonNull(request.user()), Collectors.counting()));
    List<Long> counts = byUser.values().stream().sorted(Comparator.reverseOrder()).toList();
    long all = counts.stream().mapToLong(Long::longValue).sum();
    long first = counts.stream().limit(20).mapToLong(Long::longValue).sum();
    assertThat(counts).hasSizeGreaterThan(300);
    assertThat((double) first / all).isBetween(0.4, 0.8);
  }

  @Test
  void everybodyIsThere() {
    List<DemoRequest> sent = requests(200, 1, 30);
    assertThat(sent).extracting(DemoRequest::tier).contains("free", "pro", "enterprise");
    assertThat(sent).extracting(DemoRequest::key).contains("key-1", "key-2");
    assertThat(sent)
        .extracting(DemoRequest::path)
        .contains("/login", "/api/v1/chat", "/api/v1/search", "/api/v1/upload", "/api/v0/items");
    assertThat(sent).extracting(DemoRequest::user).contains(DemoVisitors.BLOCKED_USER);
    assertThat(
            sent.stream()
                .filter(request -> request.ip().equals(DemoVisitors.ATTACKER))
                .map(DemoRequest::user)
                .distinct()
                .count())
        .isGreaterThan(100);
    assertThat(
            sent.stream()
                .map(DemoRequest::ip)
                .filter(ip -> ip.startsWith("198.51.100."))
                .distinct()
                .count())
        .isGreaterThan(100);
  }

  @Test
  void whoIsPoliteWaitsAsLongAsItIsTold() {
    DemoVisitor polite =
        new PoliteVisitor(
            (now, step, door) -> door.accept(DemoRequest.from("192.0.2.1", "GET", "/")));
    List<DemoRequest> sent = new ArrayList<>();
    polite.visit(0, STEP, sent::add);
    polite.refused(STEP, 2);
    polite.visit(STEP, STEP, sent::add);
    polite.visit(STEP + 2 * SECOND - 1, STEP, sent::add);
    assertThat(sent).hasSize(1);
    polite.visit(STEP + 2 * SECOND, STEP, sent::add);
    assertThat(sent).hasSize(2);
  }

  @Test
  void burstsAreFollowedByPauses() {
    DemoVisitor bursts =
        new BurstVisitor(
            200,
            20 * SECOND,
            new SplittableRandom(1),
            random -> DemoRequest.from("192.0.2.1", "GET", "/"));
    List<Integer> bySecond = new ArrayList<>();
    for (long second = 0; second < 120; second++) {
      List<DemoRequest> sent = new ArrayList<>();
      for (long now = second * SECOND; now < (second + 1) * SECOND; now += STEP) {
        bursts.visit(now, STEP, sent::add);
      }
      bySecond.add(sent.size());
    }
    assertThat(bySecond.stream().filter(count -> count == 0).count()).isBetween(90L, 115L);
    assertThat(bySecond).anyMatch(count -> count > 60);
  }

  @Test
  void aRequestIsWhatTheServerTakes() {
    assertThat(DemoRequest.from("192.0.2.1", "POST", "/login").by("ada").of("pro").with("k").json())
        .isEqualTo(
            "{\"method\": \"POST\", \"path\": \"/login\", \"ip\": \"192.0.2.1\", \"user\": \"ada\","
                + " \"tier\": \"pro\", \"key\": \"k\"}");
  }
}
