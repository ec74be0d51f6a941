-- Rows say who made them; now also who changed them last. Of rows that are there already that is who made them, as far
-- as anybody knows.

alter table rate_limit_rules add column if not exists updated_by varchar
  constraint rate_limit_rules_updated_by_check check (char_length(updated_by) between 1 and 255);
alter table tiers add column if not exists updated_by varchar
  constraint tiers_updated_by_check check (char_length(updated_by) between 1 and 255);
alter table endpoints add column if not exists updated_by varchar
  constraint endpoints_updated_by_check check (char_length(updated_by) between 1 and 255);
alter table user_quotas add column if not exists updated_by varchar
  constraint user_quotas_updated_by_check check (char_length(updated_by) between 1 and 255);
alter table api_keys add column if not exists updated_by varchar
  constraint api_keys_updated_by_check check (char_length(updated_by) between 1 and 255);
alter table blocks add column if not exists updated_at timestamp with time zone default current_timestamp not null;
alter table blocks add column if not exists updated_by varchar
  constraint blocks_updated_by_check check (char_length(updated_by) between 1 and 255);
alter table exemptions add column if not exists updated_at timestamp with time zone default current_timestamp not null;
alter table exemptions add column if not exists updated_by varchar
  constraint exemptions_updated_by_check check (char_length(updated_by) between 1 and 255);

update rate_limit_rules set updated_by = created_by where updated_by is null;
update tiers set updated_by = created_by where updated_by is null;
update endpoints set updated_by = created_by where updated_by is null;
update api_keys set updated_by = coalesce(revoked_by, created_by) where updated_by is null;
update blocks set updated_by = created_by, updated_at = created_at where updated_by is null;
update exemptions set updated_by = created_by, updated_at = created_at where updated_by is null;
