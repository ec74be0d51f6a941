/** What {@code weir.toml} and the environment say: settings, and how they are read. */
@NullMarked
package dev.weir.policy.config;

import org.jspecify.annotations.NullMarked;
