/**
 * What users may do. {@link dev.weir.control.quotas.QuotaStore} changes it; {@link
 * dev.weir.control.quotas.StoredUsers} is what requests ask.
 */
@NullMarked
package dev.weir.control.quotas;

import org.jspecify.annotations.NullMarked;
