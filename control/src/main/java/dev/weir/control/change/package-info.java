/**
 * Changes of what is configured. {@link dev.weir.control.change.Changes} makes them, one after the
 * other over all instances; {@link dev.weir.control.change.ChangeFeed} tells every instance of
 * them.
 */
@NullMarked
package dev.weir.control.change;

import org.jspecify.annotations.NullMarked;
