package dev.weir.control.database;

/** What is asked about decisions: a page of a month, the latest first. */
final class AuditQueries {
  private AuditQueries() {}

  private static final String OF_MAY =
      " timestamp >= '2026-05-01 00:00:00+00' and timestamp < '2026-06-01 00:00:00+00'";
  private static final String PAGE = " order by timestamp desc, log_id desc limit 100";

  static final String BY_USER =
      "select * from rate_limit_audit_logs where user_id = 'user-7' and" + OF_MAY + PAGE;

  static final String BY_DECISION =
      "select * from rate_limit_audit_logs where decision = 'blocked' and" + OF_MAY + PAGE;

  /** With the cursor of the page before. */
  static final String BY_TIME =
      "select * from rate_limit_audit_logs where"
          + OF_MAY
          + " and timestamp <= '2026-05-20 00:00:00+00'"
          + " and (timestamp, log_id) < ('2026-05-20 00:00:00+00', 40000)"
          + PAGE;

  /** Of all months. */
  static final String LATEST = "select * from rate_limit_audit_logs" + PAGE;

  static final String METRICS =
      "select * from rate_limit_metrics where granularity = 'minute' and" + OF_MAY;
}
