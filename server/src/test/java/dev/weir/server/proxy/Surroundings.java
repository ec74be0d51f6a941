package dev.weir.server.proxy;

import java.nio.file.Path;
import java.util.List;

/**
 * What a proxy is started with.
 *
 * @param folder an empty one for its files
 * @param weirPort where it finds Weir
 * @param servicePort where it finds the service
 * @param changes the headings of the changes to its configuration that the guide shows
 * @param isPatient whether it waits longer for Weir than the guide shows, so that a slow machine
 *     does not look like a Weir that is gone
 */
record Surroundings(
    Path folder, int weirPort, int servicePort, List<String> changes, boolean isPatient) {

  /** The change for a proxy behind another one. */
  static final String BEHIND_ANOTHER = "Behind another proxy";

  /** The change for a proxy that lets nothing pass without Weir. */
  static final String CLOSED = "When Weir does not answer";

  /** A file of a guide with those changes of the guide that are to be made to it. */
  ShownFile changed(Guide guide, ShownFile file, List<String> possible) {
    ShownFile changed = file;
    for (String heading : changes) {
      if (possible.contains(heading)) {
        changed = changed.changedBy(guide.change(heading));
      }
    }
    return changed;
  }

  /** The file with the network of a load balancer that there is here, if it names one. */
  ShownFile withFront(ShownFile file) {
    return changes.contains(BEHIND_ANOTHER) ? file.with("10.0.0.0/8", Weir.FRONT + "/32") : file;
  }
}
