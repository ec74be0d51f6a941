package dev.weir.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir archive}: moves what is past its retention out of a server's database. */
@Command(
    name = "archive",
    sortOptions = false,
    description = "Move what is past its retention out of a server's database into its archive.",
    footer = {
      "",
      "The server does so by itself, too; this waits until it is done. For example:",
      "  weir archive --plan",
      "  weir archive --delete-older-than 2557d"
    })
final class ArchiveCommand extends AdminCommand {
  private static final Duration PATIENCE = Duration.ofHours(24);

  @Option(names = "--plan", description = "Only show what was done and what is to be done.")
  private boolean isPlan;

  @Option(
      names = "--delete-older-than",
      paramLabel = "<duration>",
      description = "Instead: delete files of the archive that are older, for example 2557d.")
  private @Nullable String age;

  @Mixin private JsonOption json = new JsonOption();

  ArchiveCommand(Shell shell) {
    super(shell);
  }

  @Override
  void run(AdminClient server) {
    AdminAnswer answer = server.ask(wish().waiting(PATIENCE));
    if (json.isGiven()) {
      printJson(answer);
    } else if (isPlan) {
      print(plan(answer.object()));
    } else {
      print(Listing.of(answer.json()));
    }
    requireComplete(answer);
  }

  /** Months that have left the database, or are on their way, and those that are due. */
  private static List<String> plan(Json.Members answer) {
    List<String> lines = new ArrayList<>();
    addMonths(lines, "archived months", answer.get("items"));
    lines.add("");
    addMonths(lines, "planned months", answer.get("planned"));
    return lines;
  }

  private static void addMonths(List<String> lines, String title, Json months) {
    if (months instanceof Json.Items items && !items.values().isEmpty()) {
      lines.add(title + ":");
      Listing.of(items).forEach(line -> lines.add("  " + line));
    } else {
      lines.add(title + ": none");
    }
  }

  /**
   * Months that failed stay in the database, and whoever runs this by a timer must hear of them.
   */
  private static void requireComplete(AdminAnswer answer) {
    if (answer.object().text("complete").equals("false")) {
      throw new InputException("not all months could be archived; the failures are listed above");
    }
  }

  private AdminCall wish() {
    AdminPath path = AdminPath.of("archive");
    if (age == null) {
      return isPlan ? AdminCall.get(path) : AdminCall.post(path);
    }
    if (isPlan) {
      throw wrongUsage("--plan and --delete-older-than cannot be given both");
    }
    long micros = InputException.readOption("--delete-older-than", age, ArchiveCommand::parseAge);
    return AdminCall.delete(path.with("older_than", TimeText.exact(micros)));
  }

  /** All files are older than nothing: nobody who means that writes it so. */
  private static long parseAge(String text) {
    long micros = TimeText.parseMicros(text);
    if (micros == 0) {
      throw new IllegalArgumentException("must be longer than nothing, got \"" + text + "\"");
    }
    return micros;
  }
}
