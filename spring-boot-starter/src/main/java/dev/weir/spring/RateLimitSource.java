package dev.weir.spring;

import dev.weir.policy.config.Config;
import dev.weir.policy.config.ConfigException;
import dev.weir.policy.config.ConfigFile;
import dev.weir.policy.config.ConfigReader;
import dev.weir.policy.config.Mistake;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;

/**
 * Where the configuration comes from: the properties of the application, or the {@code weir.toml}
 * that they name, which may change.
 */
final class RateLimitSource implements AutoCloseable {
  private static final Duration WATCH = Duration.ofSeconds(1);

  private final String name;
  private final Config first;
  private final @Nullable ConfigFile file;
  private volatile Consumer<Config> user = ignored -> {};

  /**
   * Reads it for the first time.
   *
   * @throws RateLimitConfigurationException with all mistakes
   */
  RateLimitSource(RateLimitProperties properties, ResourceLoader resources) {
    String place = properties.config();
    List<String> mistakes = new ArrayList<>();
    requirePositive("requests-per-minute", properties.requestsPerMinute(), mistakes);
    requirePositive("window-duration-ms", properties.windowDurationMs(), mistakes);
    if (place != null) {
      for (String key : PropertiesToml.given(properties)) {
        mistakes.add(
            property(key) + " must not be given together with ratelimit.config; say it there");
      }
    } else if (properties.standard() != null) {
      requireAbsent("requests-per-minute", properties.requestsPerMinute(), mistakes);
      requireAbsent("window-duration-ms", properties.windowDurationMs(), mistakes);
    }
    throwIfAny(mistakes);
    Resource resource = place == null ? null : resources.getResource(place);
    try {
      this.file =
          resource == null || !resource.isFile()
              ? null
              : new ConfigFile(resource.getFilePath(), Map.of(), this::changed);
      this.first = file == null ? read(properties, resource) : file.current();
    } catch (ConfigException wrong) {
      throw new RateLimitConfigurationException(
          wrong.mistakes().stream()
              .map(mistake -> place == null ? named(mistake, properties) : inFile(mistake))
              .toList());
    } catch (IOException unreadable) {
      throw new RateLimitConfigurationException(
          List.of(property("config") + " cannot be read: " + unreadable.getMessage()));
    }
    this.name = place == null ? "properties" : place;
  }

  private static Config read(RateLimitProperties properties, @Nullable Resource resource)
      throws IOException {
    return resource == null
        ? ConfigReader.parse(PropertiesToml.of(properties), "", Map.of())
        : ConfigReader.parse(
            resource.getContentAsString(StandardCharsets.UTF_8),
            resource.getDescription(),
            Map.of());
  }

  private static void requireAbsent(String key, @Nullable Long value, List<String> mistakes) {
    if (value != null) {
      mistakes.add(property(key) + " must not be given together with ratelimit.default");
    }
  }

  private static void requirePositive(String key, @Nullable Long value, List<String> mistakes) {
    if (value != null && value <= 0) {
      mistakes.add(property(key) + " must be at least 1, got " + value);
    }
  }

  private static void throwIfAny(List<String> mistakes) {
    if (!mistakes.isEmpty()) {
      throw new RateLimitConfigurationException(mistakes);
    }
  }

  private static String named(Mistake mistake, RateLimitProperties properties) {
    boolean isOfTwo = properties.standard() == null && mistake.key().equals("default.limit");
    String key = isOfTwo ? "requests-per-minute" : mistake.key().replace('_', '-');
    return property(key) + " " + mistake.problem();
  }

  private static String inFile(Mistake mistake) {
    return property("config") + ": " + mistake;
  }

  private static String property(String key) {
    return RateLimitProperties.PREFIX + "." + key;
  }

  /** What it said at first. */
  Config first() {
    return first;
  }

  /** {@code properties}, or where the file is. */
  String name() {
    return name;
  }

  /** Gives every configuration to that user from now on; if it throws, the one before stays. */
  void follow(Consumer<Config> next) {
    user = next;
    if (file != null) {
      file.watch(WATCH);
    }
  }

  private void changed(Config next) {
    user.accept(next);
  }

  /** Why the last change of the file did not take effect; null if it did, or there was none. */
  @Nullable RuntimeException lastFailure() {
    return file == null ? null : file.lastFailure();
  }

  @Override
  public void close() {
    if (file != null) {
      file.close();
    }
  }
}
