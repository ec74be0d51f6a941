package dev.weir.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir import}: makes the configuration in a server's database that of a file. */
@Command(
    name = "import",
    sortOptions = false,
    description = "Make the configuration in a server's database that of a file.",
    footer = {
      "",
      "All of it or nothing; what the file does not have is deleted. For example:",
      "  weir import backup.toml --dry-run"
    })
final class ImportCommand extends AdminCommand {
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** What may become of an entry. */
  private record Effect(String member, String done, String planned) {}

  private static final List<Effect> EFFECTS =
      List.of(
          new Effect("created", "created", "would be created"),
          new Effect("updated", "updated", "would be updated"),
          new Effect("deleted", "deleted", "would be deleted"));

  @Parameters(paramLabel = "<file>", description = "What weir export has written.")
  private Path file = Path.of("");

  @Option(names = "--dry-run", description = "Only say what would change.")
  private boolean isDryRun;

  @Mixin private JsonOption json = new JsonOption();

  ImportCommand(Shell shell) {
    super(shell);
  }

  @Override
  void run(AdminClient server) {
    String toml = InputFile.read(file);
    AdminPath path = AdminPath.of("import").dryRun(isDryRun);
    AdminAnswer answer = server.ask(AdminCall.postToml(path, toml).waiting(PATIENCE));
    Json.Members changes = answer.object();
    if (isDryRun) {
      requireDryRun(changes);
    }
    if (json.isGiven()) {
      printJson(answer);
    } else {
      print(changes);
    }
  }

  private void print(Json.Members changes) {
    Columns columns = new Columns();
    int count = 0;
    for (Effect effect : EFFECTS) {
      for (Json entry : changes.items(effect.member)) {
        columns.add(isDryRun ? effect.planned : effect.done, PlainText.of(entry));
        count++;
      }
    }
    print(columns.lines());
    String policy = PlainText.of(changes.get("policy"));
    String changed = count == 0 ? "nothing" : count == 1 ? "1 entry" : count + " entries";
    out()
        .println(
            isDryRun
                ? "dry run: %s would change; the policy would be %s".formatted(changed, policy)
                : "%s changed; the policy is %s".formatted(changed, policy));
  }
}
