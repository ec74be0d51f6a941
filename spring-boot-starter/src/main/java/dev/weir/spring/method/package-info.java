/** Limits calls of methods with {@link dev.weir.spring.RateLimit}. */
@NullMarked
package dev.weir.spring.method;

import org.jspecify.annotations.NullMarked;
