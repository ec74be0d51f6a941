@NullMarked
package dev.weir.server.traffic;

import org.jspecify.annotations.NullMarked;
