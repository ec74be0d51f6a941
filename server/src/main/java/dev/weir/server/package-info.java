/**
 * The service: checks over HTTP, forward-auth and Envoy's protocol on one port. {@link
 * dev.weir.server.WeirServer} puts it together and is where to start reading; {@code Routes} lists
 * what it answers to.
 */
@NullMarked
package dev.weir.server;

import org.jspecify.annotations.NullMarked;
