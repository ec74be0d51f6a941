package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What the guide shows is right. */
class EnvoyGuideTest {
  private static final Path GUIDE = Path.of("..", "docs", "guides", "envoy.md");

  /** The YAML in the guide. */
  private static List<String> blocks() throws IOException {
    List<String> blocks = new ArrayList<>();
    StringBuilder block = new StringBuilder();
    boolean isInside = false;
    boolean isYaml = false;
    for (String line : Files.readAllLines(GUIDE)) {
      if (line.startsWith("```")) {
        if (isInside && isYaml) {
          blocks.add(block.toString());
        }
        isYaml = line.equals("```yaml");
        isInside = !isInside;
        block.setLength(0);
      } else if (isInside) {
        block.append(line).append('\n');
      }
    }
    return blocks;
  }

  /** A service with all rules of the guide. */
  private static TestService service() throws IOException {
    TestService service = TestService.with("domain: none");
    Map<String, String> files = new LinkedHashMap<>();
    for (String block : blocks()) {
      if (block.startsWith("domain:")) {
        String domain = files.isEmpty() ? "edge" : "more";
        files.put(domain, block.replace("domain: edge", "domain: " + domain));
      }
    }
    assertThat(files).hasSize(2);
    service.decider.use(EnvoyConfigReader.parse(files, false, service.stats));
    return service;
  }

  @Test
  void blocksAreYaml() throws IOException {
    assertThat(blocks()).hasSizeGreaterThanOrEqualTo(5);
    for (String block : blocks()) {
      assertThat(new Load(LoadSettings.builder().build()).loadFromString(block))
          .isInstanceOf(Map.class);
    }
  }

  @Test
  void rulesDoWhatTheirCommentsSay() throws IOException {
    TestService service = service();

    assertThat(service.passes(Requests.descriptor("remote_address", "10.0.0.1"))).isEqualTo(100);
    assertThat(service.passes(Requests.descriptor("remote_address", "10.0.0.7"))).isEqualTo(1_000);
    assertThat(service.passes(Requests.descriptor("path", "/api/a"))).isEqualTo(10);
    assertThat(service.passes(Requests.descriptor("path", "/api/b"))).isEqualTo(10);
    assertThat(service.passes(Requests.descriptor("path", "/images/a"))).isEqualTo(1_000);
    assertThat(service.status(Requests.descriptor("path", "/images/b")).getLimitRemaining())
        .isZero();
    assertThat(
            service.passes(Requests.descriptor("tenant", "t", "plan", "free", "action", "search")))
        .as("in shadow mode")
        .isEqualTo(1_000);
    assertThat(
            service
                .ask(Requests.request("more", Requests.descriptor("remote_address", "10.0.0.1")))
                .getStatuses(0)
                .getLimitRemaining())
        .isEqualTo(19);
  }

  @Test
  void keysAreAllThere() throws IOException {
    String guide = Files.readString(GUIDE);

    assertThat(EnvoyKeys.DESCRIPTOR).allSatisfy(key -> assertThat(guide).contains("`" + key));
    assertThat(EnvoyKeys.RATE_LIMIT).allSatisfy(key -> assertThat(guide).contains(key + "`"));
  }
}
