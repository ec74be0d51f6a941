@NullMarked
package dev.weir.testrunner;

import org.jspecify.annotations.NullMarked;
