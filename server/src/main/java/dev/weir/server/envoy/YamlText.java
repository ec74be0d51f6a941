package dev.weir.server.envoy;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Makes nodes of a text, within bounds: no text makes the reader overflow its stack. */
final class YamlText {
  /** No right configuration is half as deep. */
  private static final int DEEPEST = 100;

  private static final int MOST_ALIASES = 10_000;
  private static final String NO_YAML = "error loading config file: ";

  private static final LoadSettings SETTINGS =
      LoadSettings.builder()
          .setSchema(new SchemaWithoutMerge())
          .setCodePointLimit(EnvoyConfigReader.LARGEST_FILE)
          .setMaxAliasesForCollections(MOST_ALIASES)
          .build();

  private YamlText() {}

  /**
   * Takes {@code <<} for any text: the composer would merge without bounds, {@link YamlMap} does
   * not.
   */
  private static final class SchemaWithoutMerge extends CoreSchema {
    @Override
    public ScalarResolver getScalarResolver() {
      ScalarResolver core = super.getScalarResolver();
      return (value, isPlain) -> {
        Tag tag = core.resolve(value, isPlain);
        return tag.equals(Tag.MERGE) ? Tag.STR : tag;
      };
    }
  }

  /** The top of the document; null if it is empty or wrong, which is reported. */
  static @Nullable Node compose(String text, Mistakes mistakes) {
    try {
      if (isOutOfBounds(text, mistakes)) {
        return null;
      }
      Optional<Node> top = new Compose(SETTINGS).composeString(text);
      if (top.isEmpty()) {
        mistakes.report(1, 1, "config file cannot have empty domain");
      }
      return top.orElse(null);
    } catch (MarkedYamlEngineException wrong) {
      mistakes.report(
          wrong.getProblemMark().isPresent() ? wrong.getProblemMark() : wrong.getContextMark(),
          NO_YAML + wrong.getProblem());
    } catch (ReaderException wrong) {
      reportCharacter(text, wrong, mistakes);
    } catch (YamlEngineException wrong) {
      mistakes.report(1, 1, NO_YAML + wrong.getMessage());
    }
    return null;
  }

  /** The composer calls itself for each level, the parser does not. */
  private static boolean isOutOfBounds(String text, Mistakes mistakes) {
    int depth = 0;
    for (Event event : new Parse(SETTINGS).parseString(text)) {
      String problem = "";
      if (event instanceof CollectionStartEvent && ++depth > DEEPEST) {
        problem = "must not be nested deeper than " + DEEPEST + " levels";
      } else if (event instanceof CollectionEndEvent) {
        depth--;
      } else if (event instanceof ScalarEvent scalar
          && scalar.getTag().equals(Optional.of(Tag.MERGE.getValue()))) {
        problem = "the tag !!merge is not allowed; write <<";
      }
      if (!problem.isEmpty()) {
        mistakes.report(event.getStartMark(), NO_YAML + problem);
        return true;
      }
    }
    return false;
  }

  private static void reportCharacter(String text, ReaderException wrong, Mistakes mistakes) {
    int line = 1;
    int column = 1;
    int end = text.offsetByCodePoints(0, wrong.getPosition());
    for (int i = 0; i < end; i = text.offsetByCodePoints(i, 1)) {
      boolean isEndOfLine = text.charAt(i) == '\n';
      line += isEndOfLine ? 1 : 0;
      column = isEndOfLine ? 1 : column + 1;
    }
    mistakes.report(
        line, column, NO_YAML + "character U+%04X is not allowed".formatted(wrong.getCodePoint()));
  }
}
