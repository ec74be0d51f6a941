/** Shows how rate limiting does: an endpoint, health and metrics. */
@NullMarked
package dev.weir.spring.actuate;

import org.jspecify.annotations.NullMarked;
