/** A small Spring MVC application, to see what limits add to it. */
@NullMarked
package dev.weir.bench.spring;

import org.jspecify.annotations.NullMarked;
