/**
 * The guides for other people's programs, tried out: what they show is what runs here.
 *
 * <p>Start with {@link dev.weir.server.proxy.ProxyContract}, which says what has to hold with every
 * proxy in front of Weir.
 */
@NullMarked
package dev.weir.server.proxy;

import org.jspecify.annotations.NullMarked;
