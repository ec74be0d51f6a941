package dev.weir.backtest.suggest;

import dev.weir.Limit;
import dev.weir.backtest.suggest.Suggestions.Curve;
import dev.weir.backtest.suggest.Suggestions.OfEndpoint;
import dev.weir.backtest.suggest.Suggestions.Point;
import dev.weir.policy.JsonText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Suggestions for programs. */
final class SuggestionsJson {
  private static final int DECIMALS = 4;

  private SuggestionsJson() {}

  static void put(JsonText json, Suggestions suggestions) {
    json.putRaw("at_most_percent", suggestions.allowance().toString())
        .putObjects("endpoints", suggestions.endpoints(), SuggestionsJson::putEndpoint);
  }

  private static void putEndpoint(JsonText json, OfEndpoint endpoint) {
    json.put("endpoint", endpoint.endpoint())
        .put("requests", endpoint.requests())
        .put("sampled_clients", endpoint.sampledClients())
        .put("one_client_in", endpoint.oneIn())
        .putObjects("limits", endpoint.curves(), SuggestionsJson::putCurve);
  }

  private static void putCurve(JsonText json, Curve curve) {
    json.put("algorithm", curve.algorithm().toString()).put("window", curve.window());
    putLimit(json, "by_requests", curve.byRequests());
    putLimit(json, "by_clients", curve.byClients());
    json.putObjects("curve", curve.points(), SuggestionsJson::putPoint);
  }

  private static void putLimit(JsonText json, String name, @Nullable Limit limit) {
    if (limit == null) {
      json.putRaw(name, "null");
    } else {
      json.put(name, limit.toString());
    }
  }

  private static void putPoint(JsonText json, Point point) {
    json.put("limit", point.limit().toString())
        .putRaw("requests_percent", percent(point.requests()))
        .putRaw("clients_percent", percent(point.clients()));
  }

  private static String percent(Share share) {
    if (share.part() == 0) {
      return "0";
    }
    return BigDecimal.valueOf(share.part())
        .movePointRight(2)
        .divide(BigDecimal.valueOf(share.whole()), DECIMALS, RoundingMode.HALF_UP)
        .stripTrailingZeros()
        .toPlainString();
  }
}
