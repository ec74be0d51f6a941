/**
 * A neutral conformance suite for Envoy rate limit services. The table of cases is read from YAML
 * files; a client that knows only Envoy's messages sends their requests to a server and compares
 * what comes back. Start at {@link dev.weir.conformance.Suite}; the command is {@link
 * dev.weir.conformance.Conformance}.
 */
@NullMarked
package dev.weir.conformance;

import org.jspecify.annotations.NullMarked;
