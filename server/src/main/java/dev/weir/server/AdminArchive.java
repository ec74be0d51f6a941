package dev.weir.server;

import dev.weir.control.archive.Archive;
import dev.weir.control.archive.ArchiveException;
import dev.weir.control.archive.ArchiveJob;
import dev.weir.control.archive.ArchiveReport;
import dev.weir.control.archive.PlannedMonth;
import dev.weir.policy.JsonText;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.config.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Months that have left the database, or should, over the admin API. */
final class AdminArchive {
  private final Archive archive;

  AdminArchive(Archive archive) {
    this.archive = archive;
  }

  List<Route> routes() {
    return List.of(
        AdminCall.get("archive", this::list),
        AdminCall.post("archive", this::run).taking(Route.DRY_RUN),
        AdminCall.delete("archive", this::delete).taking("older_than"));
  }

  private void list(Exchange exchange) {
    AdminCall.onDatabase(
        exchange,
        () ->
            new JsonText()
                .putObjects("items", archive.list(), AdminArchive::put)
                .putRaw("next", "null")
                .putObjects("planned", archive.plan(), AdminArchive::put)
                .toString(),
        exchange::json);
  }

  private void run(Exchange exchange) {
    if (exchange.isDryRun()) {
      AdminCall.onDatabase(
          exchange,
          () ->
              new JsonText()
                  .put(Route.DRY_RUN, true)
                  .putObjects("planned", archive.plan(), AdminArchive::put)
                  .toString(),
          exchange::json);
      return;
    }
    AdminCall.log(exchange, "archive");
    answer(exchange, archive::run, AdminArchive::json);
  }

  private void delete(Exchange exchange) {
    Duration age = age(exchange.query("older_than"));
    AdminCall.log(exchange, "delete archived months older than " + age.toDays() + " days");
    answer(
        exchange,
        () -> archive.deleteOlderThan(age),
        files -> new JsonText().put("deleted", files).toString());
  }

  private static Duration age(@Nullable String text) {
    if (text == null) {
      return Archive.COLD_RETENTION;
    }
    try {
      Duration age = Durations.parse(text);
      if (age.toDays() >= 1) {
        return age;
      }
    } catch (IllegalArgumentException said) {
      // Below.
    }
    throw new MalformedRequestException(
        "older_than", "must be a duration of at least 1d, for example 2557d, got \"" + text + "\"");
  }

  private static <T> void answer(
      Exchange exchange, Supplier<Optional<T>> task, Function<T, String> json) {
    AdminCall.onDatabase(
        exchange,
        () -> {
          try {
            return task.get();
          } catch (ArchiveException failure) {
            throw new AdminCall.Unavailable("archive", String.valueOf(failure.getMessage()));
          }
        },
        done -> {
          if (done.isPresent()) {
            exchange.json(json.apply(done.get()));
          } else {
            exchange.fail(409, "archive", "is being worked on by another run");
          }
        });
  }

  private static String json(ArchiveReport report) {
    return new JsonText()
        .put("complete", report.isComplete())
        .put("rows", report.rows())
        .putObjects("archived", report.archived(), AdminArchive::put)
        .putObjects("discarded", report.discarded(), AdminArchive::put)
        .putObjects(
            "failures",
            report.failures(),
            (text, failure) ->
                text.put("table", failure.table().table())
                    .put("month", failure.month().toString())
                    .put("message", failure.message()))
        .toString();
  }

  private static void put(JsonText text, PlannedMonth planned) {
    text.put("table", planned.table().table())
        .put("month", planned.month().toString())
        .put("state", lower(planned.state()))
        .put("kept", planned.isKept());
  }

  private static void put(JsonText text, ArchiveJob job) {
    text.put("table", job.table().table())
        .put("month", job.month().toString())
        .put("part", job.part())
        .put("state", lower(job.state()));
    AdminCall.putOrNull(text, "file", job.file().orElse(null));
    text.putRaw("rows", job.rows().map(String::valueOf).orElse("null"));
    AdminCall.putOrNull(text, "checksum", job.checksum().orElse(null));
    text.put("created_at", job.createdAt().toString())
        .put("updated_at", job.updatedAt().toString());
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
