/** A limit for each client by resilience4j, written by hand. */
@NullMarked
package dev.weir.bench.spring.resilience4j;

import org.jspecify.annotations.NullMarked;
