package dev.weir.server.envoy;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads files, each of which has the descriptors of a domain. */
final class DomainReader {
  private final boolean mergesDomains;
  private final Mistakes mistakes;
  private final Map<String, NodeDraft> domains = new LinkedHashMap<>();

  /**
   * A reader that has read nothing.
   *
   * @param mergesDomains whether several files may be about one domain
   */
  DomainReader(boolean mergesDomains, Mistakes mistakes) {
    this.mergesDomains = mergesDomains;
    this.mistakes = mistakes;
  }

  /** The top of each domain that was read. */
  Map<String, NodeDraft> domains() {
    return new HashMap<>(domains);
  }

  void read(String text) {
    Node top = YamlText.compose(text, mistakes);
    if (top == null) {
      return;
    }
    if (!(top instanceof MappingNode map)) {
      mistakes.report(top, "config file must be a map, got " + YamlMap.shown(top));
      return;
    }
    Reading reading = new Reading(mistakes);
    try {
      readDomain(new YamlMap(map, reading), reading);
    } catch (Reading.EndlessException endless) {
      mistakes.report(endless.at(), String.valueOf(endless.getMessage()));
    }
  }

  private void readDomain(YamlMap file, Reading reading) {
    file.requireKeys(EnvoyKeys.FILE);
    String domain = file.text("domain");
    if (domain.isEmpty()) {
      mistakes.report(file.at("domain"), "config file cannot have empty domain");
    } else if (RequestBounds.isTooLong(domain)) {
      mistakes.report(file.at("domain"), "domain must have at most 1024 bytes");
    }
    NodeDraft top = domains.get(domain);
    if (top == null || domain.isEmpty() || !mergesDomains) {
      if (top != null && !domain.isEmpty()) {
        mistakes.report(file.at("domain"), "duplicate domain '" + domain + "' in config file");
      }
      top = new NodeDraft(domain, "");
      domains.putIfAbsent(domain, top);
    }
    new DescriptorReader(reading).read(file, top, domain, 1);
  }
}
