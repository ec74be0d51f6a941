@NullMarked
package dev.weir.server.envoy;

import org.jspecify.annotations.NullMarked;
