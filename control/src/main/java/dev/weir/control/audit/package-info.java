/**
 * Decisions that are kept: from a verdict to a row, and from rows to pages and files.
 *
 * <p>{@link dev.weir.control.audit.AuditObserver} turns decisions into {@link
 * dev.weir.control.audit.AuditRecord}s, {@link dev.weir.control.audit.AuditSink} writes them into
 * {@code rate_limit_audit_logs}, {@link dev.weir.control.audit.AuditQueries} finds them there. What
 * a record consists of is said once, by {@link dev.weir.control.audit.AuditColumn}. {@link
 * dev.weir.control.audit.AdminAuditQueries} looks at what operators did.
 */
@NullMarked
package dev.weir.control.audit;

import org.jspecify.annotations.NullMarked;
