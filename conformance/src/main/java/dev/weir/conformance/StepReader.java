package dev.weir.conformance;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the steps of one case. */
final class StepReader {
  private static final String OK = "OK";
  private static final String OVER_LIMIT = "OVER_LIMIT";

  private final String caseName;
  private final String place;
  private long at;

  StepReader(String caseName, String place) {
    this.caseName = caseName;
    this.place = place;
  }

  List<Step> steps(List<Object> values) {
    List<Step> steps = new ArrayList<>();
    for (Object value : values) {
      Fields fields = Fields.of(value, "%s, step %d".formatted(place, steps.size() + 1));
      try {
        steps.add(step(fields));
      } catch (NumberFormatException e) {
        throw fields.wrong(e.getMessage() + ": a whole number is wanted");
      }
      fields.end();
    }
    if (steps.isEmpty()) {
      throw new IllegalArgumentException(place + ": steps is missing");
    }
    return List.copyOf(steps);
  }

  private Step step(Fields fields) {
    long time = fields.number("at", at);
    if (time < at) {
      throw fields.wrong("at must not be before the step before, which is at " + at);
    }
    at = time;
    if (fields.has("reload")) {
      return reload(fields);
    }
    if (fields.has("stats")) {
      return stats(Fields.of(fields.take("stats"), fields.place() + ", stats"));
    }
    if (fields.has("health")) {
      Fields health = Fields.of(fields.take("health"), fields.place() + ", health");
      Step step = new Step.CheckHealth(at, health.text("service"), health.text("status"));
      health.end();
      return step;
    }
    return ask(fields);
  }

  private Step reload(Fields fields) {
    String verdict = fields.text("reload");
    if (!Set.of("accepted", "rejected").contains(verdict)) {
      throw fields.wrong("reload must be accepted or rejected, got " + verdict);
    }
    Map<String, Optional<String>> files = new LinkedHashMap<>();
    if (fields.has("config")) {
      files.put("", Optional.ofNullable(fields.take("config")).map(Object::toString));
    }
    if (fields.has("configs")) {
      Fields named = Fields.of(fields.take("configs"), fields.place() + ", configs");
      for (String name : named.keys()) {
        files.put(name, Optional.ofNullable(named.take(name)).map(Object::toString));
      }
    }
    boolean isAccepted = verdict.equals("accepted");
    String mistake = isAccepted ? "" : fields.text("mistake");
    return new Step.Reload(at, files, isAccepted, mistake);
  }

  private Step stats(Fields fields) {
    Map<String, Map<String, Long>> rules = new LinkedHashMap<>();
    for (String rule : fields.keys()) {
      Fields counters = Fields.of(fields.take(rule), fields.place() + ", " + rule);
      Map<String, Long> values = new LinkedHashMap<>();
      counters.keys().forEach(name -> values.put(name, counters.number(name)));
      rules.put(rule, values);
    }
    return new Step.CheckStats(at, rules);
  }

  private Step ask(Fields fields) {
    int times = (int) fields.number("times", 1);
    String domain = fields.text("domain", caseName);
    long hits = fields.number("hits", 0);
    List<Descriptor> descriptors = new ArrayList<>();
    for (Object value : several(fields, "descriptor", "descriptors")) {
      descriptors.add(descriptor(value, fields.place()));
    }
    Expected expected = fields.has("error") ? failure(fields) : answer(fields, times);
    if (expected instanceof Expected.Answer answer
        && answer.statuses().size() != descriptors.size()) {
      throw fields.wrong(
          "statuses must be as many as descriptors, got %d and %d"
              .formatted(answer.statuses().size(), descriptors.size()));
    }
    return new Step.Ask(at, times, domain, hits, List.copyOf(descriptors), expected);
  }

  /** The one value of one key, or the list under another. */
  private static List<Object> several(Fields fields, String one, String many) {
    if (!fields.has(one)) {
      return fields.list(many);
    }
    Object value = fields.take(one);
    if (value == null) {
      throw fields.wrong(one + " is missing");
    }
    return List.of(value);
  }

  private static Descriptor descriptor(Object value, String place) {
    if (value instanceof List<?> list) {
      return new Descriptor(entries(list, place), null, false, null);
    }
    Fields fields = Fields.of(value, place + ", descriptor");
    Descriptor descriptor =
        new Descriptor(
            entries(fields.list("entries"), place),
            fields.has("hits") ? fields.number("hits") : null,
            Boolean.parseBoolean(fields.text("negative", "false")),
            rate(fields, "override"));
    fields.end();
    return descriptor;
  }

  private static List<Descriptor.Entry> entries(List<?> values, String place) {
    List<Descriptor.Entry> entries = new ArrayList<>();
    for (Object value : values) {
      Fields pair = Fields.of(value, place + ", entry");
      if (pair.keys().size() != 1) {
        throw pair.wrong("an entry must be one key with its value, got " + value);
      }
      String key = pair.keys().get(0);
      Object text = pair.take(key);
      entries.add(new Descriptor.Entry(key, text == null ? "" : text.toString()));
    }
    return List.copyOf(entries);
  }

  private static Expected failure(Fields fields) {
    Fields error = Fields.of(fields.take("error"), fields.place() + ", error");
    Expected failure =
        new Expected.Failure(Set.copyOf(error.texts("status")), error.text("message", ""));
    error.end();
    return failure;
  }

  private static Expected answer(Fields fields, int times) {
    List<Expected.Status> statuses = new ArrayList<>();
    for (Object value : several(fields, "status", "statuses")) {
      statuses.add(status(Fields.of(value, fields.place() + ", status"), times));
    }
    boolean isOver = statuses.stream().anyMatch(status -> status.code().equals(OVER_LIMIT));
    String overall = fields.text("overall", isOver ? OVER_LIMIT : OK);
    return new Expected.Answer(
        overall, List.copyOf(statuses), headers(fields, times), metadata(fields));
  }

  private static Expected.Status status(Fields fields, int times) {
    Expected.Status status =
        new Expected.Status(
            fields.text("code"),
            rate(fields, "limit"),
            countdown(fields, times),
            fields.has("reset") ? fields.number("reset") : null);
    fields.end();
    return status;
  }

  private static Expected.@Nullable Headers headers(Fields fields, int times) {
    if (!fields.has("headers")) {
      return null;
    }
    Fields headers = Fields.of(fields.take("headers"), fields.place() + ", headers");
    Expected.Headers result =
        new Expected.Headers(
            headers.number("limit"), countdown(headers, times), headers.number("reset"));
    headers.end();
    return result;
  }

  private static Expected.Countdown countdown(Fields fields, int times) {
    Expected.Countdown countdown = Expected.Countdown.parse(fields.text("remaining", "0"));
    if (!countdown.fits(times)) {
      throw fields.wrong("remaining does not divide evenly over %d times".formatted(times));
    }
    return countdown;
  }

  private static @Nullable Map<String, Object> metadata(Fields fields) {
    if (!fields.has("metadata")) {
      return null;
    }
    Fields metadata = Fields.of(fields.take("metadata"), fields.place() + ", metadata");
    Map<String, Object> result = new LinkedHashMap<>();
    for (String key : metadata.keys()) {
      Object value = metadata.take(key);
      if (value == null) {
        throw metadata.wrong(key + " must have a value");
      }
      result.put(key, value);
    }
    return result;
  }

  private static @Nullable Rate rate(Fields fields, String key) {
    if (!fields.has(key)) {
      return null;
    }
    try {
      return Rate.parse(fields.text(key));
    } catch (IllegalArgumentException e) {
      throw fields.wrong(key + ": " + e.getMessage());
    }
  }
}
