/**
 * What operators configure and look back at. {@link dev.weir.control.ControlPlane} is all of it,
 * for one instance; the packages below are its parts.
 */
@NullMarked
package dev.weir.control;

import org.jspecify.annotations.NullMarked;
