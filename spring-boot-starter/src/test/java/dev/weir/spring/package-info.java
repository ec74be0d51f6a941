@NullMarked
package dev.weir.spring;

import org.jspecify.annotations.NullMarked;
