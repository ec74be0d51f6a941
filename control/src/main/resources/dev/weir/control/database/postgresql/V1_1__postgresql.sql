-- What only PostgreSQL has: partial indexes, and a look into JSON.

create index user_quotas_is_blocked_idx on user_quotas (user_id) where is_blocked;

-- Decisions by time are found by the primary key; these are for those of one user, and for those of one kind.
create index rate_limit_audit_logs_user_id_idx
  on rate_limit_audit_logs (user_id, timestamp, log_id) where user_id is not null;
create index rate_limit_audit_logs_decision_idx on rate_limit_audit_logs (decision, timestamp, log_id);

alter table rate_limit_rules
  add constraint rate_limit_rules_match_more_check check (jsonb_typeof(match_more) = 'object');
alter table tiers add constraint tiers_endpoints_check check (jsonb_typeof(endpoints) = 'object');
