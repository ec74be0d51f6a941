/**
 * API keys. {@link dev.weir.control.keys.KeyStore} makes, changes and revokes them; {@link
 * dev.weir.control.keys.StoredKeys} is what requests ask. A key's secret is known to nobody but its
 * holder: it is shown once, and only its SHA-256 is kept.
 */
@NullMarked
package dev.weir.control.keys;

import org.jspecify.annotations.NullMarked;
