package dev.weir.control.configuration;

import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.config.ConfigReader;
import java.util.Map;

/** What a file says, in tests. */
final class FileText {
  private FileText() {}

  /** With one of each. */
  static final PolicyDefinition FILE =
      parse(
          """
          default_tier = "free"

          [default]
          limit = "100/m"

          [[tier]]
          name = "free"
          limit = "50/m"

          [[endpoint]]
          name = "chat"
          paths = ["/chat"]

          [[rule]]
          name = "from_file"
          match = { path = "/file/**" }
          limits = ["9/s"]

          [[exempt]]
          ip = "10.9.0.0/16"
          """);

  static PolicyDefinition parse(String toml) {
    return ConfigReader.parse(toml, "weir.toml", Map.of()).policy();
  }
}
