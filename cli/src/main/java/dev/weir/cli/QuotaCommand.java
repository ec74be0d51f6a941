package dev.weir.cli;

import picocli.CommandLine.Command;

/** {@code weir quota}. */
@Command(
    name = "quota",
    description = "Show and set what a user may do.",
    footer = {
      "",
      "weir quota <command> --help tells more about a command. For example:",
      "  weir quota get alice"
    })
final class QuotaCommand extends CommandGroup {}
