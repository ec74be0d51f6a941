-- What PostgreSQL has by its types: on H2 addresses and JSON are texts.

create index if not exists user_quotas_is_blocked_idx on user_quotas (is_blocked, user_id);

-- The latest come first, and H2 reads an index in one direction only.
create index if not exists rate_limit_audit_logs_timestamp_idx on rate_limit_audit_logs (timestamp desc, log_id desc);
create index if not exists rate_limit_audit_logs_user_id_idx
  on rate_limit_audit_logs (user_id, timestamp desc, log_id desc);
create index if not exists rate_limit_audit_logs_decision_idx
  on rate_limit_audit_logs (decision, timestamp desc, log_id desc);

alter table rate_limit_rules add constraint if not exists rate_limit_rules_match_more_check
  check (match_more is json object);
alter table rate_limit_rules add constraint if not exists rate_limit_rules_ip_range_check
  check (regexp_like(ip_range, '^[0-9a-f.:]+/[0-9]{1,3}$'));
alter table tiers add constraint if not exists tiers_endpoints_check check (endpoints is json object);
alter table admin_audit add constraint if not exists admin_audit_before_state_check check (before_state is json);
alter table admin_audit add constraint if not exists admin_audit_after_state_check check (after_state is json);
alter table rate_limit_audit_logs add constraint if not exists rate_limit_audit_logs_ip_address_check
  check (regexp_like(ip_address, '^[0-9a-f.:]+$'));
