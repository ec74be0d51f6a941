package dev.weir.policy.config;

import dev.weir.policy.PolicyDefinition;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.tomlj.Toml;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;

/**
 * Reads a configuration from {@code weir.toml} and the environment, which wins. Finds every mistake
 * in one go.
 */
public final class ConfigReader {
  private static final long LARGEST_FILE = 64L << 20;

  /** What holds with no file at all. */
  private static final String BUILT_IN =
      """
      [[endpoint]]
      name = "chat"
      paths = ["/**/chat"]
      limit = 10
      window = "60s"
      scope = "user"

      [[endpoint]]
      name = "upload"
      paths = ["/**/upload"]
      limit = 2
      window = "600s"
      scope = "user"

      [[endpoint]]
      name = "auth"
      paths = ["/**/auth/**", "/**/login"]
      limit = 5
      window = "60s"
      scope = "ip"
      """;

  private ConfigReader() {}

  /**
   * Reads a file.
   *
   * @throws ConfigException with all mistakes
   */
  public static Config read(Path file, Map<String, String> environment) {
    return parse(text(file), file.toString(), environment);
  }

  private static String text(Path file) {
    try {
      if (Files.size(file) > LARGEST_FILE) {
        throw mistake(file, "must be at most 64 MiB large");
      }
      return Files.readString(file);
    } catch (CharacterCodingException invalid) {
      throw mistake(file, "must be valid UTF-8");
    } catch (AccessDeniedException denied) {
      throw mistake(file, "cannot be read: permission denied");
    } catch (IOException unreadable) {
      boolean isMissing = !Files.exists(file);
      throw mistake(
          file, isMissing ? "there is no such file" : "cannot be read: " + unreadable.getMessage());
    }
  }

  private static ConfigException mistake(Path file, String problem) {
    return new ConfigException(List.of(new Mistake(file.toString(), "", problem)));
  }

  /**
   * What holds without a file.
   *
   * @throws ConfigException with all mistakes of the environment
   */
  public static Config builtIn(Map<String, String> environment) {
    return parse(BUILT_IN, "built-in", environment);
  }

  /**
   * Reads a text.
   *
   * @param file what it is called in mistakes
   * @throws ConfigException with all mistakes
   */
  public static Config parse(String text, String file, Map<String, String> environment) {
    Source source = new Source(file, environment);
    Config config = read(source, parsed(text, source));
    source.finish();
    source.throwIfWrong();
    return config;
  }

  /** The whole text, if it is TOML. */
  static Section parsed(String text, Source source) {
    TomlParseResult toml = Toml.parse(text);
    for (TomlParseError error : toml.errors()) {
      source.report(error.position(), "", shortened(firstLine(Mistake.messageOf(error))));
    }
    source.throwIfWrong();
    return Section.root(source, toml);
  }

  /** Repeats one character of what is wrong: the rest may be of a secret without its quotes. */
  private static String shortened(String message) {
    int start = message.indexOf('\'') + 1;
    int end = message.lastIndexOf("', expected");
    boolean isLong = message.startsWith("Unexpected '") && end > start + 1;
    return isLong ? message.substring(0, start + 1) + "…" + message.substring(end) : message;
  }

  private static Config read(Source source, Section root) {
    Section counters = root.section("counters");
    Section client = root.section("client");
    PolicyDefinition policy = new PolicyReader(source, root).read(counters, client);
    SettingsReader settings = new SettingsReader(source, root);
    Config config =
        new Config(
            policy,
            settings.server(),
            SettingsReader.counters(counters),
            settings.redis(),
            settings.database(),
            SettingsReader.client(client),
            settings.response(),
            settings.envoy(),
            settings.events(),
            settings.audit(),
            settings.traffic(),
            source.warnings());
    counters.finish();
    client.finish();
    root.finish();
    return config;
  }

  private static String firstLine(String message) {
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }
}
