/** For the tests of applications that limit rates. */
@NullMarked
package dev.weir.spring.test;

import org.jspecify.annotations.NullMarked;
