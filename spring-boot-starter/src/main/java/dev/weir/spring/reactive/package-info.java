/** Limits requests under WebFlux. */
@NullMarked
package dev.weir.spring.reactive;

import org.jspecify.annotations.NullMarked;
