/** Filters side by side in one application, to see which of them adds how much. */
@NullMarked
package dev.weir.bench.spring.together;

import org.jspecify.annotations.NullMarked;
