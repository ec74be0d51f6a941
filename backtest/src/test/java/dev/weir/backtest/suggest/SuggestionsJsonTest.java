package dev.weir.backtest.suggest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.backtest.suggest.Suggestions.Curve;
import dev.weir.backtest.suggest.Suggestions.OfEndpoint;
import dev.weir.backtest.suggest.Suggestions.Point;
import dev.weir.policy.JsonText;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuggestionsJsonTest {

  @Test
  void writesEveryCurve() {
    Limit one = Limit.parse("1/s burst 4");
    Limit two = Limit.parse("2/s burst 8");
    Curve curve =
        new Curve(
            List.of(
                new Point(one, new Share(1, 3), new Share(1, 2)),
                new Point(two, new Share(0, 3), new Share(0, 2))),
            two,
            null);
    JsonText json = new JsonText();
    new Suggestions(Allowance.parse("0.5"), List.of(new OfEndpoint("\"a", 3, 2, 1, List.of(curve))))
        .putInto(json);
    assertThat(json)
        .hasToString(
            "{\"suggestions\": {\"at_most_percent\": 0.5, \"endpoints\": [{\"endpoint\": \"\\\"a\","
                + " \"requests\": 3, \"sampled_clients\": 2, \"one_client_in\": 1, \"limits\":"
                + " [{\"algorithm\": \"token_bucket\", \"window\": \"s\", \"by_requests\":"
                + " \"2/s burst 8\", \"by_clients\": null, \"curve\": [{\"limit\": \"1/s burst 4\","
                + " \"requests_percent\": 33.3333, \"clients_percent\": 50}, {\"limit\":"
                + " \"2/s burst 8\", \"requests_percent\": 0, \"clients_percent\": 0}]}]}]}}");
  }
}
