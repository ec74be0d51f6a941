/** Decisions as lines of JSON: {@link dev.weir.policy.event.EventLog} writes them. */
@NullMarked
package dev.weir.policy.event;

import org.jspecify.annotations.NullMarked;
