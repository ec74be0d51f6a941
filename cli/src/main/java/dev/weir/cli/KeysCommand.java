package dev.weir.cli;

import picocli.CommandLine.Command;

/** {@code weir keys}. */
@Command(
    name = "keys",
    description = "Create, list and revoke the API keys of a server.",
    footer = {
      "",
      "weir keys <command> --help tells more about a command. For example:",
      "  weir keys list --user alice"
    })
final class KeysCommand extends CommandGroup {}
