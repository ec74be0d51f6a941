package dev.weir.conformance;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Compares what came with what was expected, and says each difference in a line. */
final class Comparison {
  /** In metadata: a value must be there, whatever it is. */
  private static final String ANY = "<any>";

  private static final String NONE = "none";

  private final Reset reset;
  private final String headerPrefix;
  private final List<Difference> differences = new ArrayList<>();

  private record Difference(String what, String expected, String got) {}

  Comparison(Reset reset, String headerPrefix) {
    this.reset = reset;
    this.headerPrefix = headerPrefix;
  }

  /** The differences, a line each; none if all is as it should be. */
  List<String> compare(Expected expected, Reply reply, int repetition, int times) {
    if (expected instanceof Expected.Failure failure) {
      compareFailure(failure, reply);
    } else if (expected instanceof Expected.Answer answer) {
      if (reply instanceof Reply.Answer got) {
        compareAnswer(answer, got.response(), repetition, times);
      } else if (reply instanceof Reply.Failure got) {
        check("answer", "an answer", "the error %s: %s".formatted(got.code(), got.message()));
      }
    }
    return lines();
  }

  private void compareFailure(Expected.Failure expected, Reply reply) {
    if (reply instanceof Reply.Failure got) {
      if (!expected.codes().contains(got.code())) {
        check("status", String.join(" or ", expected.codes()), got.code());
      }
      if (!got.message().contains(expected.message())) {
        check("message", expected.message(), got.message());
      }
    } else {
      check("answer", "an error", "an answer");
    }
  }

  private void compareAnswer(
      Expected.Answer expected, RateLimitResponse got, int repetition, int times) {
    check("overall_code", expected.overall(), got.getOverallCode().name());
    int count = expected.statuses().size();
    check("statuses", count + " of them", got.getStatusesCount() + " of them");
    for (int i = 0; i < Math.min(count, got.getStatusesCount()); i++) {
      Expected.Status status = expected.statuses().get(i);
      compareStatus("statuses[" + i + "].", status, got.getStatuses(i), repetition, times);
    }
    compareHeaders(expected, got.getResponseHeadersToAddList(), repetition, times);
    Map<String, Object> metadata = expected.metadata();
    if (metadata == null) {
      check("dynamic_metadata", NONE, got.hasDynamicMetadata() ? "some" : NONE);
    } else {
      compareValue("dynamic_metadata", metadata, plain(got.getDynamicMetadata()));
    }
  }

  private void compareStatus(
      String path, Expected.Status expected, DescriptorStatus got, int repetition, int times) {
    check(path + "code", expected.code(), got.getCode().name());
    check(
        path + "current_limit",
        expected.limit() == null ? NONE : expected.limit().toString(),
        got.hasCurrentLimit() ? limit(got.getCurrentLimit()) : NONE);
    check(
        path + "limit_remaining",
        Long.toString(expected.remaining().at(repetition, times)),
        Integer.toUnsignedString(got.getLimitRemaining()));
    Long seconds = expected.reset();
    if (seconds == null) {
      check(path + "duration_until_reset", NONE, got.hasDurationUntilReset() ? "some" : NONE);
    } else {
      String text =
          got.hasDurationUntilReset()
              ? Long.toString(got.getDurationUntilReset().getSeconds())
                  + (got.getDurationUntilReset().getNanos() == 0 ? "" : " and a fraction")
              : NONE;
      Unit unit = expected.limit() == null ? Unit.UNKNOWN : expected.limit().unit();
      if (!reset.isRight(seconds, unit, text)) {
        check(path + "duration_until_reset", Long.toString(seconds), text);
      }
    }
  }

  static String limit(RateLimitResponse.RateLimit limit) {
    String name = limit.getName();
    return "%s/%s%s"
        .formatted(
            Integer.toUnsignedString(limit.getRequestsPerUnit()),
            limit.getUnit(),
            name.isEmpty() ? "" : " " + name);
  }

  private void compareHeaders(
      Expected.Answer expected, List<HeaderValue> list, int repetition, int times) {
    Map<String, String> got = new TreeMap<>();
    list.forEach(header -> got.merge(header.getKey(), header.getValue(), (a, b) -> a + ", " + b));
    Expected.Headers headers = expected.headers();
    if (headers == null) {
      check("response_headers_to_add", NONE, got.isEmpty() ? NONE : got.toString());
      return;
    }
    check(headerPrefix + "Limit", Long.toString(headers.limit()), take(got, "Limit"));
    long remaining = headers.remaining().at(repetition, times);
    check(headerPrefix + "Remaining", Long.toString(remaining), take(got, "Remaining"));
    String seconds = take(got, "Reset");
    if (!reset.isRight(headers.reset(), unitOf(expected, headers.reset()), seconds)) {
      check(headerPrefix + "Reset", Long.toString(headers.reset()), seconds);
    }
    check("other header fields", NONE, got.isEmpty() ? NONE : got.toString());
  }

  private String take(Map<String, String> headers, String name) {
    String value = headers.remove(headerPrefix + name);
    return value == null ? NONE : value;
  }

  /** The unit of the limit that a header speaks of: the one that resets at the same time. */
  private static Unit unitOf(Expected.Answer answer, long reset) {
    for (Expected.Status status : answer.statuses()) {
      if (status.limit() != null && status.reset() != null && status.reset() == reset) {
        return status.limit().unit();
      }
    }
    return Unit.UNKNOWN;
  }

  private void compareValue(String path, Object expected, @Nullable Object got) {
    if (expected instanceof Map<?, ?> map && got instanceof Map<?, ?> other) {
      map.forEach((key, value) -> compareValue(path + "." + key, value, other.get(key)));
      for (Object key : other.keySet()) {
        if (!map.containsKey(key)) {
          check(path + "." + key, NONE, String.valueOf(other.get(key)));
        }
      }
    } else if (expected instanceof List<?> list
        && got instanceof List<?> other
        && list.size() == other.size()) {
      for (int i = 0; i < list.size(); i++) {
        compareValue(path + "[" + i + "]", list.get(i), other.get(i));
      }
    } else if (expected instanceof Number number && got instanceof Number other) {
      check(path, Double.toString(number.doubleValue()), Double.toString(other.doubleValue()));
    } else if (!expected.equals(ANY) || got == null) {
      check(path, expected.toString(), got == null ? NONE : got.toString());
    }
  }

  private static Map<String, Object> plain(Struct struct) {
    Map<String, Object> map = new LinkedHashMap<>();
    struct.getFieldsMap().forEach((key, value) -> map.put(key, plain(value)));
    return map;
  }

  private static Object plain(Value value) {
    return switch (value.getKindCase()) {
      case NUMBER_VALUE -> value.getNumberValue();
      case STRING_VALUE -> value.getStringValue();
      case BOOL_VALUE -> value.getBoolValue();
      case STRUCT_VALUE -> plain(value.getStructValue());
      case LIST_VALUE -> plain(value.getListValue());
      default -> "null";
    };
  }

  private static List<Object> plain(ListValue list) {
    return list.getValuesList().stream().map(Comparison::plain).toList();
  }

  private void check(String what, String expected, String got) {
    if (!expected.equals(got)) {
      differences.add(new Difference(what, expected, got));
    }
  }

  private List<String> lines() {
    int width = differences.stream().mapToInt(each -> each.what.length()).max().orElse(0);
    String form = "%-" + Math.max(1, width) + "s  expected %s, got %s";
    return differences.stream()
        .map(each -> form.formatted(each.what, each.expected, each.got))
        .toList();
  }
}
