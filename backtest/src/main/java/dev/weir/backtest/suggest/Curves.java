package dev.weir.backtest.suggest;

import dev.weir.Limit;
import dev.weir.backtest.suggest.Suggestions.Curve;
import dev.weir.backtest.suggest.Suggestions.OfEndpoint;
import dev.weir.backtest.suggest.Suggestions.Point;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads off the samples of an endpoint what each limit refused. */
final class Curves {
  private final EndpointSample sample;
  private final List<Lane> lanes;
  private final Allowance allowance;

  Curves(EndpointSample sample, List<Lane> lanes, Allowance allowance) {
    this.sample = sample;
    this.lanes = lanes;
    this.allowance = allowance;
  }

  OfEndpoint suggestions() {
    List<Curve> curves = new ArrayList<>();
    Curve plain = null;
    for (Lane lane : lanes) {
      Curve curve = curve(lane);
      if (lane.shape() != Shape.TOKEN_BUCKET_WITH_BURST || plain == null || helps(curve, plain)) {
        curves.add(curve);
      }
      plain = lane.shape() == Shape.TOKEN_BUCKET ? curve : plain;
    }
    curves.sort(Comparator.comparing(Curve::algorithm));
    return new OfEndpoint(
        sample.endpoint(), sample.requests(), sample.clients().size(), sample.oneIn(), curves);
  }

  /** Whether buckets that hold more get by with half of the permits, or do where others do not. */
  private static boolean helps(Curve withBurst, Curve plain) {
    return helps(withBurst.byRequests(), plain.byRequests())
        || helps(withBurst.byClients(), plain.byClients());
  }

  private static boolean helps(@Nullable Limit withBurst, @Nullable Limit plain) {
    return withBurst != null && (plain == null || 2 * withBurst.permits() <= plain.permits());
  }

  private Curve curve(Lane lane) {
    long[] refusedClients = refusedClients(lane);
    List<Point> points = new ArrayList<>();
    for (int rung = 0; rung < lane.rungs(); rung++) {
      points.add(
          new Point(
              lane.limit(rung),
              sample.sums().share(lane.number(), rung),
              new Share(refusedClients[rung], sample.clients().size())));
    }
    return new Curve(
        untilNothingIsRefused(points),
        smallest(points, Point::requests),
        smallest(points, Point::clients));
  }

  private long[] refusedClients(Lane lane) {
    long[] refused = new long[lane.rungs()];
    for (SampledClient client : sample.clients()) {
      for (long left = client.refusedBy(lane.number()); left != 0; left &= left - 1) {
        refused[Long.numberOfTrailingZeros(left)]++;
      }
    }
    return refused;
  }

  /** The first from which on all are within the allowance. */
  private @Nullable Limit smallest(List<Point> points, Function<Point, Share> share) {
    Limit smallest = null;
    for (int i = points.size() - 1; i >= 0; i--) {
      if (!allowance.permits(share.apply(points.get(i)))) {
        return smallest;
      }
      smallest = points.get(i).limit();
    }
    return smallest;
  }

  private static List<Point> untilNothingIsRefused(List<Point> points) {
    int last = points.size() - 1;
    while (last > 0 && points.get(last - 1).requests().part() == 0) {
      last--;
    }
    return points.subList(0, last + 1);
  }
}
