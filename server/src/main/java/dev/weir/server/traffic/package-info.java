/**
 * Requests of the past, on which rules can be tried out: those that are kept in memory, and those
 * that the audit has. Start with {@link dev.weir.server.traffic.PastRequests}.
 */
@NullMarked
package dev.weir.server.traffic;

import org.jspecify.annotations.NullMarked;
