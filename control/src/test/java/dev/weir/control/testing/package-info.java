/** What several contracts of this module need. */
@NullMarked
package dev.weir.control.testing;

import org.jspecify.annotations.NullMarked;
