package dev.weir.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that have a running server asked, where otherwise a policy here is. */
final class ServerOption {
  private static final int LAST = 100;

  @Option(
      names = "--url",
      order = LAST,
      paramLabel = "<url>",
      description = "Ask that server, for example " + ServerUrl.USUAL + ".")
  private @Nullable String url;

  @Option(
      names = "--token",
      order = LAST + 1,
      paramLabel = "<token>",
      description =
          "Its check or admin token; better in the variable " + AdminClient.TOKEN_VARIABLE + ".")
  private @Nullable String token;

  /** The server to ask; null: none. */
  @Nullable AdminClient client(CommandSpec command, Shell shell) {
    if (url == null) {
      if (token != null) {
        throw new ParameterException(command.commandLine(), "--token is for a server; give --url");
      }
      return null;
    }
    AdminCommand.requireReadable(command.commandLine().getParseResult().originalArgs());
    return new AdminClient(
        InputException.readOption("--url", url, ServerUrl::parse),
        token == null ? shell.environment().getOrDefault(AdminClient.TOKEN_VARIABLE, "") : token);
  }
}
