package dev.weir.cli;

import dev.weir.Limit;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.Headers;
import dev.weir.policy.JsonText;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.Request;
import dev.weir.policy.config.Config;
import dev.weir.policy.config.ConfigException;
import dev.weir.policy.config.ConfigReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that describe a request and the policy that it is put to. */
final class RequestOptions {
  private static final Path STANDARD_FILE = Path.of("weir.toml");
  private static final long MOST_REPETITIONS = 1_000_000;

  @Option(
      names = "--config",
      paramLabel = "<file>",
      description = "The policy; default: weir.toml here, else the built-in one. Not with --url.")
  private @Nullable Path file;

  @Option(
      names = "--path",
      required = true,
      paramLabel = "<path>",
      description = "What is asked for, for example /api/v1/rag/chat.")
  private String path = "/";

  @Option(names = "--method", paramLabel = "<method>", description = "Default: GET.")
  private String method = "GET";

  @Option(names = "--ip", paramLabel = "<address>", description = "The client's address.")
  private @Nullable String ip;

  @Option(names = "--user", paramLabel = "<user>", description = "The client's user.")
  private @Nullable String user;

  @Option(names = "--tier", paramLabel = "<tier>", description = "The client's tier.")
  private @Nullable String tier;

  @Option(names = "--key", paramLabel = "<id>", description = "The id of the client's API key.")
  private @Nullable String key;

  @Option(names = "--cost", paramLabel = "<n>", description = "What it consumes; default: 1.")
  private String costText = "1";

  @Option(
      names = "--header",
      paramLabel = "<name>=<value>",
      description = "A header field; may be given several times.")
  private Map<String, String> headers = Map.of();

  @Option(
      names = "--repeat",
      paramLabel = "<n>",
      description = "Ask so many times, one right after the other; default: 1.")
  private String repeatText = "1";

  @Option(names = "--json", description = "Print each answer as one JSON object on one line.")
  private boolean isJson;

  /** Whether answers are for programs. */
  boolean isJson() {
    return isJson;
  }

  /** How often to ask. */
  long repetitions() {
    return InputException.readOption(
        "--repeat", repeatText, text -> Numbers.parse(text, 1, MOST_REPETITIONS));
  }

  Config config(Map<String, String> environment) {
    try {
      if (file != null) {
        return ConfigReader.read(file, environment);
      }
      return Files.exists(STANDARD_FILE)
          ? ConfigReader.read(STANDARD_FILE, environment)
          : ConfigReader.builtIn(environment);
    } catch (ConfigException wrong) {
      throw new MistakesException(wrong.mistakes());
    }
  }

  String method() {
    return method;
  }

  String path() {
    return path;
  }

  /** The request for a server, as {@code /v1/check} takes it. */
  String json(CommandSpec command) {
    if (file != null) {
      throw new ParameterException(
          command.commandLine(), "--config and --url cannot be given both: a server has its own");
    }
    JsonText text = new JsonText().put("method", method).put("path", path);
    put(text, "ip", ip);
    put(text, "user", user);
    put(text, "tier", tier);
    put(text, "key", key);
    return text.put("cost", cost())
        .putObject("headers", fields -> headers.forEach(fields::put))
        .toString();
  }

  private static void put(JsonText text, String name, @Nullable String value) {
    if (value != null) {
      text.put(name, value);
    }
  }

  Request request(Config config) {
    try {
      return new Request(method, path, client(config), cost(), Headers.of(headers));
    } catch (MalformedRequestException wrong) {
      throw new InputException("--" + wrong.getMessage());
    }
  }

  private Client client(Config config) {
    Client client =
        ip == null
            ? Client.unknown()
            : Client.at(
                InputException.readOption("--ip", ip, Address::parse),
                config.client().ipv6Prefix());
    client = user == null ? client : client.withUser(user);
    client = key == null ? client : client.withKey(key);
    return tier == null ? client : client.withTier(tier);
  }

  /** What it consumes. */
  long cost() {
    return InputException.readOption(
        "--cost", costText, text -> Numbers.parse(text, 0, Limit.MAX_PERMITS));
  }
}
