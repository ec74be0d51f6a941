package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExplanationTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10/s burst 20 | token_bucket: a bucket of 20 permits, full at first and refilled evenly at"
            + " 10/s; at most 20 + 50 = 70 permits pass in any 5s.",
        "1/m | token_bucket: a bucket of 1 permit, full at first and refilled evenly at 1/m; at most"
            + " 1 + 0 = 1 permits pass in any 5s.",
        "10/s fixed_window | fixed_window: at most 10 permits in each window of 1s on the clock;"
            + " around the border of two windows up to 20 can pass within 1s.",
        "10/s fixed_window align first_request | fixed_window: at most 10 permits in each window of"
            + " 1s that starts with the first request after the one before; around the border of two"
            + " windows up to 20 can pass within 1s.",
        "5/month fixed_window | fixed_window: at most 5 permits in each calendar month (UTC); around"
            + " the turn of two of them up to 10 can pass in a short time.",
        "5/d fixed_window zone Asia/Tokyo | fixed_window: at most 5 permits in each calendar day"
            + " (Asia/Tokyo); around the turn of two of them up to 10 can pass in a short time.",
        "10/60s sliding_window | sliding_window: the count of the current window plus the share of"
            + " the previous one still in view is at most 10 permits; fewer than 20 permits pass in"
            + " any 1m, about 10 when requests come evenly.",
        "5/h sliding_log | sliding_log: every passed request counts for exactly 1h; at most 5"
            + " permits pass in any 1h."
      })
  void saysHowALimitCountsAndItsBound(String limit, String sentence) {
    assertThat(Explanation.of(Limit.parse(limit), 5_000_000)).isEqualTo(sentence);
  }
}
