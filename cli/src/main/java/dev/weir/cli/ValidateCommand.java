package dev.weir.cli;

import dev.weir.policy.Policy;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.config.Config;
import dev.weir.policy.config.ConfigException;
import dev.weir.policy.config.ConfigReader;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir validate}: says whether files are right, and every mistake if not. */
@Command(
    name = "validate",
    description = "Say whether files are right, and every mistake if they are not.",
    footer = {"", "For example: weir validate weir.toml"})
final class ValidateCommand implements Callable<Integer> {
  @Parameters(arity = "1..*", paramLabel = "<file>", description = "A weir.toml.")
  private List<Path> files = List.of();

  private final PrintWriter out;
  private final PrintWriter err;

  ValidateCommand(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public Integer call() {
    int code = 0;
    for (Path file : files) {
      try {
        Config config = ConfigReader.read(file, Map.of());
        out.println(file + ": " + summary(config.policy()));
        config.warnings().forEach(warning -> out.println(warning));
      } catch (ConfigException wrong) {
        wrong.mistakes().forEach(err::println);
        code = 1;
      }
    }
    return code;
  }

  private static String summary(PolicyDefinition policy) {
    return "right; %s, %s, %s, default %s; policy %s"
        .formatted(
            count(policy.rules().size(), "rule"),
            count(policy.tiers().size(), "tier"),
            count(policy.endpoints().size(), "endpoint"),
            policy.defaultLimit(),
            Policy.compile(policy).version());
  }

  private static String count(int number, String thing) {
    return number + " " + thing + (number == 1 ? "" : "s");
  }
}
