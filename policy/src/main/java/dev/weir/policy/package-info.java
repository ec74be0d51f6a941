/**
 * From a request to the limits that hold for it. A {@link dev.weir.policy.Policy} is a compiled,
 * immutable snapshot of all rules; a {@link dev.weir.policy.Gate} takes a {@link
 * dev.weir.policy.Request} through it and through the counters to a {@link
 * dev.weir.policy.Verdict}. Start reading there.
 */
@NullMarked
package dev.weir.policy;

import org.jspecify.annotations.NullMarked;
