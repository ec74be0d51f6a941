/** Limits what an application asks of others, and keeps to what they say. */
@NullMarked
package dev.weir.spring.client;

import org.jspecify.annotations.NullMarked;
