-- All tables, for PostgreSQL and H2. What differs is in placeholders, which Vendor fills in, and in the
-- folder of each database.
--
-- Bounds are named <table>_<column>_check, so that a refusal names the column. Texts are bounded by a check and not by
-- their type for the same reason. Times are instants. On H2 each statement commits by itself: a start that is cut off
-- in the middle begins anew, hence "if not exists".

-- One row. Every change of the configuration adds 1 to its version, in its own transaction and before anything else:
-- who holds the row is the only one who changes anything.
create table if not exists config_version (
  id smallint default 1 primary key,
  version bigint not null,
  changed_at timestamp with time zone default current_timestamp not null,
  constraint config_version_id_check check (id = 1),
  constraint config_version_version_check check (version >= 0)
);

insert into config_version (id, version) select 1, 0 where not exists (select * from config_version);

-- [[rule]]. One value of a condition is in user_tier, endpoint_pattern, http_method or ip_range; all others are in
-- match_more, an object as "match" of a rule, whose parts are arrays: {"path": ["/a/*"], "header": {"host": ["x"]}}.
-- Limits are in requests_per_*, and as texts such as '2/10m' in limits; algorithm and burst_size hold for those that
-- say nothing else. Rules are read all at once, so no index but those of the names is needed.
create table if not exists rate_limit_rules (
  rule_id uuid default gen_random_uuid() primary key,
  rule_name varchar not null,
  priority integer default 100 not null,
  user_tier varchar,
  endpoint_pattern varchar,
  http_method varchar,
  ip_range ${cidr},
  match_more ${json} default '{}' not null,
  algorithm varchar default 'token_bucket' not null,
  requests_per_second bigint,
  requests_per_minute bigint,
  requests_per_hour bigint,
  requests_per_day bigint,
  burst_size bigint,
  limits varchar array default cast(array[] as varchar array) not null,
  scope varchar default 'client' not null,
  action varchar default 'throttle' not null,
  final boolean default false not null,
  mode varchar default 'enforce' not null,
  failure_mode varchar,
  response_status integer,
  response_message varchar,
  retry_after_seconds bigint,
  enabled boolean default true not null,
  created_at timestamp with time zone default current_timestamp not null,
  created_by varchar,
  updated_at timestamp with time zone default current_timestamp not null,
  version bigint default 1 not null,
  constraint rate_limit_rules_rule_name_key unique (rule_name),
  constraint rate_limit_rules_rule_name_check check (regexp_like(rule_name, '^[A-Za-z0-9_.-]{1,255}$')),
  constraint rate_limit_rules_priority_check check (priority between -1000000 and 1000000),
  constraint rate_limit_rules_user_tier_check check (char_length(user_tier) between 1 and 255),
  constraint rate_limit_rules_endpoint_pattern_check check (regexp_like(endpoint_pattern, '^/')),
  constraint rate_limit_rules_http_method_check check (char_length(http_method) between 1 and 64),
  constraint rate_limit_rules_algorithm_check
    check (algorithm in ('token_bucket', 'fixed_window', 'sliding_window', 'sliding_log')),
  constraint rate_limit_rules_requests_per_second_check check (requests_per_second between 1 and 1000000000000),
  constraint rate_limit_rules_requests_per_minute_check check (requests_per_minute between 1 and 1000000000000),
  constraint rate_limit_rules_requests_per_hour_check check (requests_per_hour between 1 and 1000000000000),
  constraint rate_limit_rules_requests_per_day_check check (requests_per_day between 1 and 1000000000000),
  constraint rate_limit_rules_burst_size_check check (burst_size between 1 and 1000000000000),
  -- A rule that throttles has a limit, and no other rule has.
  constraint rate_limit_rules_limits_check check (
    (action = 'throttle') = (
      requests_per_second is not null or requests_per_minute is not null or requests_per_hour is not null
      or requests_per_day is not null or cardinality(limits) > 0)),
  constraint rate_limit_rules_scope_check check (scope in ('client', 'user', 'key', 'ip', 'tier', 'global')),
  constraint rate_limit_rules_action_check check (action in ('throttle', 'block', 'allow')),
  constraint rate_limit_rules_mode_check check (mode in ('enforce', 'shadow')),
  constraint rate_limit_rules_failure_mode_check check (failure_mode in ('open', 'closed', 'local')),
  constraint rate_limit_rules_response_status_check check (response_status between 400 and 599),
  constraint rate_limit_rules_response_message_check check (char_length(response_message) <= 4096),
  constraint rate_limit_rules_retry_after_seconds_check check (retry_after_seconds >= 1),
  constraint rate_limit_rules_created_by_check check (char_length(created_by) between 1 and 255),
  constraint rate_limit_rules_version_check check (version >= 1)
);

-- [[tier]]. limit_text is a whole limit such as '100/60s burst 20', null: that of [default]; endpoints has the permits
-- on patterns of paths, as {"/api/v1/request": 50}.
create table if not exists tiers (
  tier_name varchar primary key,
  limit_text varchar,
  endpoints ${json} default '{}' not null,
  created_at timestamp with time zone default current_timestamp not null,
  created_by varchar,
  updated_at timestamp with time zone default current_timestamp not null,
  version bigint default 1 not null,
  constraint tiers_tier_name_check check (regexp_like(tier_name, '^[a-z0-9_]{1,50}$')),
  constraint tiers_limit_text_check check (regexp_like(limit_text, '^[0-9]+/')),
  constraint tiers_created_by_check check (char_length(created_by) between 1 and 255),
  constraint tiers_version_check check (version >= 1)
);

-- [[endpoint]]. No methods: all of them; limit_text null: the endpoint only gives a name to its paths.
create table if not exists endpoints (
  endpoint_name varchar primary key,
  paths varchar array not null,
  methods varchar array default cast(array[] as varchar array) not null,
  limit_text varchar,
  scope varchar default 'client' not null,
  created_at timestamp with time zone default current_timestamp not null,
  created_by varchar,
  updated_at timestamp with time zone default current_timestamp not null,
  version bigint default 1 not null,
  constraint endpoints_endpoint_name_check check (regexp_like(endpoint_name, '^[A-Za-z0-9_.-]{1,255}$')),
  constraint endpoints_paths_check check (cardinality(paths) >= 1),
  constraint endpoints_limit_text_check check (regexp_like(limit_text, '^[0-9]+/')),
  constraint endpoints_scope_check check (scope in ('client', 'user', 'key', 'ip', 'tier', 'global')),
  constraint endpoints_created_by_check check (char_length(created_by) between 1 and 255),
  constraint endpoints_version_check check (version >= 1)
);

-- What one user may do, and has done. tier null: the one that requests bring along, or the default one. The totals are
-- those of usage_day and of its month, both in UTC.
create table if not exists user_quotas (
  user_id varchar primary key,
  tier varchar,
  custom_limit_per_hour bigint,
  custom_limit_per_day bigint,
  custom_burst_size bigint,
  monthly_quota bigint,
  total_requests_today bigint default 0 not null,
  total_requests_month bigint default 0 not null,
  usage_day date,
  last_request_at timestamp with time zone,
  quota_reset_at timestamp with time zone,
  quota_exceeded_count bigint default 0 not null,
  is_blocked boolean default false not null,
  block_reason varchar,
  blocked_until timestamp with time zone,
  created_at timestamp with time zone default current_timestamp not null,
  updated_at timestamp with time zone default current_timestamp not null,
  version bigint default 1 not null,
  constraint user_quotas_user_id_check check (char_length(user_id) between 1 and 255),
  constraint user_quotas_tier_check check (char_length(tier) between 1 and 255),
  constraint user_quotas_custom_limit_per_hour_check check (custom_limit_per_hour between 1 and 1000000000000),
  constraint user_quotas_custom_limit_per_day_check check (custom_limit_per_day between 1 and 1000000000000),
  constraint user_quotas_custom_burst_size_check check (custom_burst_size between 1 and 1000000000000),
  constraint user_quotas_monthly_quota_check check (monthly_quota between 1 and 1000000000000),
  constraint user_quotas_total_requests_today_check check (total_requests_today >= 0),
  constraint user_quotas_total_requests_month_check check (total_requests_month >= total_requests_today),
  constraint user_quotas_quota_exceeded_count_check check (quota_exceeded_count >= 0),
  constraint user_quotas_block_reason_check check (char_length(block_reason) <= 4096),
  constraint user_quotas_blocked_until_check check (is_blocked or blocked_until is null),
  constraint user_quotas_version_check check (version >= 1)
);

-- wk_<id>_<secret>: of the secret only its SHA-256 in hexadecimal digits. tier null: that of the user. Limits as in
-- rate_limit_rules, but burst_size is that of the shortest of requests_per_*; none: those of the tier.
create table if not exists api_keys (
  api_key_id uuid default gen_random_uuid() primary key,
  api_key_hash varchar not null,
  user_id varchar not null,
  key_name varchar,
  tier varchar,
  requests_per_second bigint,
  requests_per_hour bigint,
  requests_per_day bigint,
  burst_size bigint,
  limits varchar array default cast(array[] as varchar array) not null,
  total_requests bigint default 0 not null,
  last_used_at timestamp with time zone,
  is_active boolean default true not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone default current_timestamp not null,
  created_by varchar,
  updated_at timestamp with time zone default current_timestamp not null,
  revoked_at timestamp with time zone,
  revoked_by varchar,
  version bigint default 1 not null,
  constraint api_keys_api_key_hash_key unique (api_key_hash),
  constraint api_keys_user_id_fkey foreign key (user_id) references user_quotas (user_id),
  constraint api_keys_api_key_hash_check check (regexp_like(api_key_hash, '^[0-9a-f]{64}$')),
  constraint api_keys_key_name_check check (char_length(key_name) between 1 and 255),
  constraint api_keys_tier_check check (char_length(tier) between 1 and 255),
  constraint api_keys_requests_per_second_check check (requests_per_second between 1 and 1000000000000),
  constraint api_keys_requests_per_hour_check check (requests_per_hour between 1 and 1000000000000),
  constraint api_keys_requests_per_day_check check (requests_per_day between 1 and 1000000000000),
  constraint api_keys_burst_size_check check (burst_size between 1 and 1000000000000),
  constraint api_keys_total_requests_check check (total_requests >= 0),
  constraint api_keys_created_by_check check (char_length(created_by) between 1 and 255),
  constraint api_keys_revoked_at_check check (revoked_at is null or not is_active),
  constraint api_keys_revoked_by_check check (char_length(revoked_by) between 1 and 255),
  constraint api_keys_version_check check (version >= 1)
);

create index if not exists api_keys_user_id_idx on api_keys (user_id);

-- Clients that are refused, whatever the limits say: user:<id>, key:<id>, ip:<address or range>.
create table if not exists blocks (
  client varchar primary key,
  reason varchar default '' not null,
  blocked_until timestamp with time zone,
  created_at timestamp with time zone default current_timestamp not null,
  created_by varchar,
  version bigint default 1 not null,
  constraint blocks_client_check check (regexp_like(client, '^(user|key|ip):.') and char_length(client) <= 260),
  constraint blocks_reason_check check (char_length(reason) <= 4096),
  constraint blocks_created_by_check check (char_length(created_by) between 1 and 255),
  constraint blocks_version_check check (version >= 1)
);

-- Clients that are never counted, named as in blocks.
create table if not exists exemptions (
  client varchar primary key,
  reason varchar default '' not null,
  exempt_until timestamp with time zone,
  created_at timestamp with time zone default current_timestamp not null,
  created_by varchar,
  version bigint default 1 not null,
  constraint exemptions_client_check check (regexp_like(client, '^(user|key|ip):.') and char_length(client) <= 260),
  constraint exemptions_reason_check check (char_length(reason) <= 4096),
  constraint exemptions_created_by_check check (char_length(created_by) between 1 and 255),
  constraint exemptions_version_check check (version >= 1)
);

-- Who did what, when; what it was before and after; the config_version that came of it. hash is the SHA-256 of the row
-- and of previous_hash, in hexadecimal digits; the first row has 64 zeros before it. The states are kept letter by
-- letter, since the hash is made of them. No two rows follow the same one,
-- so that the chain cannot fork.
create table if not exists admin_audit (
  audit_id bigint generated by default as identity primary key,
  occurred_at timestamp with time zone default current_timestamp not null,
  actor varchar not null,
  act varchar not null,
  subject varchar not null,
  before_state ${json_text},
  after_state ${json_text},
  version bigint not null,
  previous_hash varchar not null,
  hash varchar not null,
  constraint admin_audit_previous_hash_key unique (previous_hash),
  constraint admin_audit_hash_key unique (hash),
  constraint admin_audit_actor_check check (char_length(actor) between 1 and 255),
  constraint admin_audit_act_check check (char_length(act) between 1 and 64),
  constraint admin_audit_subject_check check (char_length(subject) between 1 and 512),
  constraint admin_audit_version_check check (version >= 0),
  constraint admin_audit_previous_hash_check check (regexp_like(previous_hash, '^[0-9a-f]{64}$')),
  constraint admin_audit_hash_check check (regexp_like(hash, '^[0-9a-f]{64}$'))
);

create index if not exists admin_audit_subject_idx on admin_audit (subject, audit_id);

-- Decisions. On PostgreSQL one partition for each month in UTC, made ahead by Partitions. user_id, api_key_id and
-- rule_name refer to nothing: users, keys and rules may come from tokens and files, and may be gone.
create table if not exists rate_limit_audit_logs (
  log_id bigint generated by default as identity,
  timestamp timestamp with time zone default current_timestamp not null,
  client varchar,
  user_id varchar,
  api_key_id varchar,
  ip_address ${inet},
  tier varchar,
  endpoint varchar,
  path varchar,
  http_method varchar,
  rule_name varchar,
  decision varchar not null,
  reason varchar,
  cost bigint default 1 not null,
  current_count bigint,
  limit_value bigint,
  window_reset timestamp with time zone,
  response_status integer,
  retry_after_seconds bigint,
  degraded boolean default false not null,
  policy varchar,
  region varchar,
  server_id varchar,
  latency_micros bigint,
  constraint rate_limit_audit_logs_pkey primary key (timestamp, log_id),
  constraint rate_limit_audit_logs_decision_check check (decision in ('allowed', 'throttled', 'blocked')),
  constraint rate_limit_audit_logs_cost_check check (cost >= 0),
  constraint rate_limit_audit_logs_response_status_check check (response_status between 100 and 599),
  constraint rate_limit_audit_logs_retry_after_seconds_check check (retry_after_seconds >= 0),
  constraint rate_limit_audit_logs_latency_micros_check check (latency_micros >= 0)
) ${partition_by_timestamp};

-- How far the journal of an instance has been read into rate_limit_audit_logs. Moved in the transaction that inserts
-- the rows, so that each record of a journal becomes one row.
create table if not exists audit_journals (
  journal_id varchar primary key,
  server_id varchar,
  last_sequence bigint default 0 not null,
  updated_at timestamp with time zone default current_timestamp not null,
  constraint audit_journals_journal_id_check check (char_length(journal_id) between 1 and 255),
  constraint audit_journals_last_sequence_check check (last_sequence >= 0)
);

-- What happened in a minute, an hour or a day that begins at timestamp, partitioned as rate_limit_audit_logs. '' stands
-- for no tier and no rule. latency_sketch is what the percentiles come from, so that more data can be merged into them.
create table if not exists rate_limit_metrics (
  granularity varchar not null,
  timestamp timestamp with time zone not null,
  endpoint varchar default '' not null,
  tier varchar default '' not null,
  rule_name varchar default '' not null,
  region varchar default '' not null,
  allowed_requests bigint default 0 not null,
  throttled_requests bigint default 0 not null,
  blocked_requests bigint default 0 not null,
  total_requests bigint generated always as (allowed_requests + throttled_requests + blocked_requests) ${stored},
  latency_p50_micros bigint,
  latency_p95_micros bigint,
  latency_p99_micros bigint,
  latency_sketch ${bytes},
  cache_hits bigint default 0 not null,
  cache_misses bigint default 0 not null,
  created_at timestamp with time zone default current_timestamp not null,
  updated_at timestamp with time zone default current_timestamp not null,
  constraint rate_limit_metrics_pkey primary key (granularity, timestamp, endpoint, tier, rule_name, region),
  constraint rate_limit_metrics_granularity_check check (granularity in ('minute', 'hour', 'day')),
  constraint rate_limit_metrics_allowed_requests_check check (allowed_requests >= 0),
  constraint rate_limit_metrics_throttled_requests_check check (throttled_requests >= 0),
  constraint rate_limit_metrics_blocked_requests_check check (blocked_requests >= 0),
  constraint rate_limit_metrics_latency_p50_micros_check check (latency_p50_micros >= 0),
  constraint rate_limit_metrics_latency_p95_micros_check check (latency_p95_micros >= latency_p50_micros),
  constraint rate_limit_metrics_latency_p99_micros_check check (latency_p99_micros >= latency_p95_micros),
  constraint rate_limit_metrics_cache_hits_check check (cache_hits >= 0),
  constraint rate_limit_metrics_cache_misses_check check (cache_misses >= 0)
) ${partition_by_timestamp};

-- The way of a month out of its table: planned, detached, written to file, verified there, dropped; or discarded, which
-- is dropped without a file. deleted: the file too. What is written has its file; what is verified or dropped has what
-- it was verified by. Rows that come after their month has left make a further part of it. While a month is detached
-- and has a file, the file is being written.
create table if not exists archive_jobs (
  table_name varchar not null,
  first_day date not null,
  part integer default 1 not null,
  state varchar default 'planned' not null,
  file varchar,
  row_count bigint,
  checksum varchar,
  file_bytes bigint,
  file_sha256 varchar,
  created_at timestamp with time zone default current_timestamp not null,
  updated_at timestamp with time zone default current_timestamp not null,
  constraint archive_jobs_pkey primary key (table_name, first_day, part),
  constraint archive_jobs_table_name_check check (table_name in ('rate_limit_audit_logs', 'rate_limit_metrics')),
  constraint archive_jobs_first_day_check check (extract(day from first_day) = 1),
  constraint archive_jobs_part_check check (part >= 1),
  constraint archive_jobs_state_check
    check (state in ('planned', 'detached', 'written', 'verified', 'dropped', 'discarded', 'deleted')),
  constraint archive_jobs_file_check check (file is not null or state in ('planned', 'detached', 'discarded')),
  constraint archive_jobs_row_count_check
    check (row_count >= 0 and (row_count is not null or state in ('planned', 'detached', 'written'))),
  constraint archive_jobs_checksum_check
    check (checksum is not null or state in ('planned', 'detached', 'written', 'discarded')),
  constraint archive_jobs_file_bytes_check check (file_bytes >= 0),
  constraint archive_jobs_file_sha256_check check (regexp_like(file_sha256, '^[0-9a-f]{64}$'))
);
