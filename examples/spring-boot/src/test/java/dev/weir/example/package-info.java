@NullMarked
package dev.weir.example;

import org.jspecify.annotations.NullMarked;
