package dev.weir.cli;

import picocli.CommandLine.Command;

/** {@code weir rules}. */
@Command(
    name = "rules",
    description = "List, add and remove the rules of a server.",
    footer = {
      "",
      "weir rules <command> --help tells more about a command. For example:",
      "  weir rules list"
    })
final class RulesCommand extends CommandGroup {}
