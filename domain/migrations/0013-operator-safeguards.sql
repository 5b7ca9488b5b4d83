-- Safeguards of operators' acts: currency of the thresholds, sealed requests, indexes of lists.

-- ---- Approvals --------------------------------------------------------------------------------

-- Of all thresholds: of operators' acts, of the withdrawal policy, the ceilings of roles.
alter table exchange_control add column currency text not null default 'usdt'
  check (currency ~ '^[a-z0-9]{1,15}$');
update exchange_control set currency = found.currency
  from (select coalesce(
    (select nullif(content ->> 'currency', '') from withdrawal_policy_settings),
    (select symbol from coins where symbol = 'usdt'),
    (select content ->> 'native_currency' from kit)) as currency) found
  where found.currency ~ '^[a-z0-9]{1,15}$';
update withdrawal_policy_settings set content = content - 'currency';

-- ---- Money ------------------------------------------------------------------------------------

-- Commands that the projected tables do not show yet.
create index accepted_engine_commands on engine_commands (kind, frame) where state = 'accepted';

-- ---- Access -----------------------------------------------------------------------------------

-- ---- People -----------------------------------------------------------------------------------

-- The same person counts once an hour in the budget of an operator, in however many lists.
alter table data_lookups add column counts boolean not null default true;

-- Those who read many people, but not for ever.
update roles set lookups_per_hour = 300, lookups_per_day = 2000
  where name in ('manager', 'auditor') and lookups_per_hour is null and lookups_per_day is null;

-- Whole lists with personal data: other people approve each, and it is used once.
update roles set powers = array_append(powers, 'export.personal')
  where name = 'admin' and not powers @> array['export.personal'];
create table personal_exports (
  id bigint generated always as identity primary key,
  operator_id bigint not null references users (id),
  list text not null,
  -- Of everything that was asked for.
  query_hash bytea not null check (length(query_hash) = 32),
  allowed_at timestamptz not null,
  used_at timestamptz
);
create index personal_exports_of_operator on personal_exports (operator_id, id);

-- The list of operators among many users.
create index operators on users (id) where role is not null;

-- ---- Staking ----------------------------------------------------------------------------------
