/**
 * For those who write or change a counter store: an exact oracle, and the contract that every store
 * must pass.
 *
 * <p>Start with {@link dev.weir.testkit.CounterStoreContract}: extend it, hand it a store, run it.
 * It plays fixed scenarios, threads and seeded random histories, and compares each decision with
 * the {@link dev.weir.testkit.Oracle}, which repeats {@code docs/semantics.md} in fractions and
 * knows nothing of any store.
 */
@NullMarked
package dev.weir.testkit;

import org.jspecify.annotations.NullMarked;
