package dev.weir.backtest.suggest;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.policy.JsonText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits that would have refused little of a log. Immutable.
 *
 * @param allowance how little
 * @param endpoints of each endpoint, those with the most requests first
 */
public record Suggestions(Allowance allowance, List<OfEndpoint> endpoints) {
  public Suggestions {
    endpoints = List.copyOf(endpoints);
  }

  /**
   * Limits for an endpoint, counted for each client.
   *
   * @param endpoint its name
   * @param requests how many requests were put to limits there, in all
   * @param sampledClients how many clients were looked at to the end
   * @param oneIn of how many clients one was looked at in the end; 1: all, and every number is
   *     exact
   * @param curves of each kind of limit and window, algorithm by algorithm
   */
  public record OfEndpoint(
      String endpoint, long requests, long sampledClients, long oneIn, List<Curve> curves) {
    public OfEndpoint {
      curves = List.copyOf(curves);
    }

    /** Whether all clients were looked at, so that every number is exact. */
    public boolean isExact() {
      return oneIn == 1;
    }
  }

  /**
   * What limits of one kind and window would have refused.
   *
   * @param points by growing permits, up to the first that refuses nothing
   * @param byRequests the smallest that keeps refused requests within the allowance; null if not
   *     even the largest does
   * @param byClients the smallest that keeps clients that were ever refused within the allowance;
   *     null if not even the largest does
   */
  public record Curve(List<Point> points, @Nullable Limit byRequests, @Nullable Limit byClients) {
    public Curve {
      points = List.copyOf(points);
    }

    /** How its limits count. */
    public Algorithm algorithm() {
      return points.get(0).limit().algorithm();
    }

    /** The window of its limits, as in a limit's text: {@code s}, {@code m} or {@code h}. */
    public String window() {
      return points.get(0).limit().period().toString();
    }

    /** How many times its permits a token bucket holds; 1 for other kinds. */
    public long burst() {
      Limit first = points.get(0).limit();
      return first.capacity() / first.permits();
    }
  }

  /**
   * One limit.
   *
   * @param limit the limit
   * @param requests those that it would have refused, of all
   * @param clients those that it would ever have refused, of all
   */
  public record Point(Limit limit, Share requests, Share clients) {}

  /** Adds them to a report, as {@code suggestions}. */
  public void putInto(JsonText json) {
    json.putObject("suggestions", inner -> SuggestionsJson.put(inner, this));
  }
}
