-- The operator's eyes and hands: switches, health, surveillance, exports.

-- ---- Switches ---------------------------------------------------------------------------------

alter table stops drop constraint stops_name_check;
alter table stops add constraint stops_name_check check (name in
  ('trading', 'deposits', 'withdrawals', 'writes', 'logins', 'accounts', 'intake'));
-- A market, a coin, a service, 'tier 2', 'group 7', 'user 17'; empty: the exchange.
alter table stops rename column symbol to object;
-- Of a market: the status that the switch set. Stops before this migration were all cancel-only.
alter table stops add column mode text not null default '';
update stops set mode = 'cancel-only' where name = 'trading';
-- A text for users; empty for none.
alter table stops add column banner text not null default '' check (length(banner) <= 500);

-- Accounts that a switch froze, to unfreeze exactly those. Two switches can freeze one account.
create table stopped_accounts (
  -- The object of the stop.
  object text not null,
  user_id bigint not null references users (id),
  previous_state text not null,
  previous_since timestamptz not null,
  -- users.state_since while nobody else has changed the state.
  frozen_at timestamptz not null,
  primary key (object, user_id)
);
create index stopped_accounts_of_user on stopped_accounts (user_id);
-- For the impact of a switch.
create index deposit_requests_in_progress on deposit_requests (currency)
  include (user_id, amount_atoms, scale)
  where kind = 'deposit' and state in ('pending', 'in_review', 'crediting');
create index withdrawal_requests_in_progress on withdrawal_requests (currency)
  include (user_id, amount_atoms, scale)
  where kind = 'withdrawal' and state not in
    ('completed', 'refused', 'canceled', 'dismissed', 'rejected', 'expired');
create index engine_users_in_group on engine_user_settings (group_id) where group_id <> 0;

-- A text of the operator for all users.
create table exchange_banner (
  id boolean primary key default true check (id),
  kind text not null check (kind in ('info', 'warning', 'incident')),
  text text not null check (length(text) between 1 and 500),
  set_by bigint not null references users (id),
  set_at timestamptz not null
);
create index exchange_banner_of_operator on exchange_banner (set_by);

-- Every change of a switch or the banner increments it. Processes compare it with what they apply.
create table switch_version (
  id boolean primary key default true check (id),
  version bigint not null
);
insert into switch_version (version) values (1);

create function advance_switch_version() returns trigger language plpgsql as $$
begin
  update switch_version set version = version + 1;
  return null;
end
$$;
create trigger switch_changes after insert or update or delete on stops
  for each row execute function advance_switch_version();
create trigger banner_changes after insert or update or delete on exchange_banner
  for each row execute function advance_switch_version();

-- ---- Ends of sessions -------------------------------------------------------------------------

-- Sessions that began before these moments are over, however many they are. Whole milliseconds:
-- gateways compare them too.
create table session_ends (
  id boolean primary key default true check (id),
  everyone_at timestamptz not null default 'epoch',
  -- Of the person who logged everyone out; 0 for none.
  kept_session bigint not null default 0,
  -- Sessions without a role.
  users_at timestamptz not null default 'epoch'
);
insert into session_ends default values;

create trigger session_end_changes after update on session_ends
  for each row execute function advance_switch_version();

-- The time of the statement: its transaction may have waited. Rounded up.
create function next_millisecond() returns timestamptz language sql volatile as $$
  select date_trunc('milliseconds', clock_timestamp()) + interval '1 ms'
$$;

create function end_sessions_of_users() returns trigger language plpgsql as $$
begin
  update session_ends set users_at = next_millisecond();
  return null;
end
$$;
create trigger logins_stop after insert on stops
  for each row when (new.name = 'logins') execute function end_sessions_of_users();

-- ---- Health -----------------------------------------------------------------------------------

-- Processes that should exist; the monitor writes it. One that ends without a goodbye stays `down`
-- until it returns or an operator dismisses it.
create table processes (
  instance text primary key,
  service text not null,
  host text not null,
  pid bigint not null,
  version text not null,
  commit text not null,
  started_at timestamptz not null,
  heard_at timestamptz not null,
  state text not null check (state in ('running', 'down', 'stopped'))
);

create table alarms (
  id bigint generated always as identity primary key,
  name text not null,
  -- A process, a coin, a path; empty if it concerns the exchange.
  object text not null,
  severity text not null check (severity in ('page', 'ticket')),
  detail text not null,
  opened_at timestamptz not null,
  closed_at timestamptz
);
create unique index open_alarms on alarms (name, object) where closed_at is null;
create index alarms_by_time on alarms (opened_at);

-- As the operator's script reports them.
create table backups (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('database', 'log')),
  ended_at timestamptz not null,
  -- The copy was restored and compared: a restore drill.
  verified boolean not null,
  bytes bigint not null check (bytes >= 0),
  place text not null,
  reported_by bigint not null references users (id),
  reported_at timestamptz not null
);
create unique index backups_by_time on backups (kind, ended_at);
create index backups_of_operator on backups (reported_by);

-- ---- Search, timeline, exports ----------------------------------------------------------------

-- Files and whole lists that operators took out of the exchange. Somebody who has a file finds its
-- row by the hash. Filters are without personal values.
create table exports (
  id bigint generated always as identity primary key,
  operator_id bigint not null references users (id),
  list text not null,
  format text not null,
  filters jsonb not null,
  state text not null default 'sending' check (state in ('sending', 'complete', 'broken')),
  -- Handed to the connection of the client; unknown if the gateway stopped meanwhile.
  rows bigint check (rows >= 0),
  bytes bigint check (bytes >= 0),
  sha256 bytea check (length(sha256) = 32),
  started_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'sending') = (ended_at is null)),
  check (state <> 'complete' or num_nulls(rows, bytes, sha256) = 0)
);
create index exports_of_operator on exports (operator_id, id);
create index exports_by_time on exports (started_at, id);
create index exports_by_hash on exports (sha256) where sha256 is not null;
create index exports_under_way on exports (started_at) where state = 'sending';

-- The search box and the timeline.
create index address_book_by_text on address_book (address, id);
create index logins_of_user_by_time on logins (user_id, created_at, id) where user_id is not null;
create index ended_sessions_of_user on sessions (user_id, revoked_at, id)
  where revoked_at is not null;
create index audit_entries_of_subject_by_time on audit_entries (subject_id, at, seq)
  where subject_id is not null;
drop index mails_of_user;
create index mails_of_user on mail_outbox (user_id, created_at, id) where user_id is not null;
-- Each change is in one of the two.
create index deposit_changes_of_user on transfer_changes (user_id, changed_at, id)
  where deposit_request is not null;
create index withdrawal_changes_of_user on transfer_changes (user_id, changed_at, id)
  where withdrawal_request is not null;

-- Changes of credentials and access. Every one causes a mail in its own transaction, and mails are
-- deleted after a month: the database itself keeps these rows, so that no code can forget one.
create table security_changes (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  kind text not null,
  at timestamptz not null
);
create index security_changes_of_user on security_changes (user_id, at, id);

create function is_security_change(kind text) returns boolean language sql immutable as $$
  select kind in ('password_changed', 'password_known', 'factor_added', 'factor_removed',
    'recovery_code_used', 'email_changed', 'api_key_created', 'api_key_changed', 'api_key_revoked',
    'account_frozen', 'account_unfrozen', 'account_closing', 'book_only_changed',
    'shared_account_granted')
$$;
create function record_security_change() returns trigger language plpgsql as $$
begin
  insert into security_changes (user_id, kind, at)
  values (new.user_id, new.kind, new.created_at);
  return null;
end
$$;
create trigger security_changes after insert on mail_outbox for each row
  when (new.user_id is not null and is_security_change(new.kind))
  execute function record_security_change();
insert into security_changes (user_id, kind, at)
  select user_id, kind, created_at from mail_outbox
  where user_id is not null and is_security_change(kind) order by id;

-- ---- Ledger and fees --------------------------------------------------------------------------

-- ---- Reviews of withdrawals -------------------------------------------------------------------

-- A single operator approves a second time, a day after the first.
alter table withdrawal_requests add column first_approved_at timestamptz;
-- Positions of the projected ledger at which sums are kept, so that a balance of the past is the
-- nearest sum before it and few entries. A job writes these tables from the entries; they can be
-- emptied at any time and come back the same in every answer.
create table ledger_steps (
  -- The last frame of the step, and the time of the last entry up to it.
  frame bigint primary key,
  at timestamptz not null
);

-- All accounts of an asset at the end of a step that changed them.
create table ledger_totals (
  asset_id bigint not null,
  frame bigint not null,
  users_available_atoms bigint not null,
  users_held_atoms bigint not null,
  fees_atoms bigint not null,
  external_atoms bigint not null,
  primary key (asset_id, frame)
);

-- Each account at the end of the last step.
create table ledger_accounts (
  -- As in the ledger: -1 is everything outside, -2 collects fees.
  owner bigint not null,
  asset_id bigint not null,
  available_atoms bigint not null,
  held_atoms bigint not null,
  -- Since the last checkpoint.
  entries bigint not null,
  primary key (owner, asset_id)
) with (fillfactor = 70);

-- An account at the end of a step, at least every few thousand entries.
create table ledger_checkpoints (
  owner bigint not null,
  asset_id bigint not null,
  frame bigint not null,
  at timestamptz not null,
  available_atoms bigint not null,
  held_atoms bigint not null,
  primary key (owner, asset_id, frame)
);

-- Trading fees of each past day, by everything that a rate depends on. A job sums the trades once.
create table fee_days_closed (day date primary key);
create table fee_days (
  day date not null,
  market_id bigint not null,
  liquidity text not null check (liquidity in ('maker', 'taker')),
  side text not null check (side in ('buy', 'sell')),
  -- A direct trade has rates of its own: tier, discount and rate are 0.
  is_direct boolean not null,
  -- Tier and discount of the user when the order was placed, and the rate of the order.
  tier bigint not null,
  discount_ppm bigint not null,
  fee_ppm bigint not null,
  fills bigint not null,
  -- In what the side received: base for a buy, quote for a sell. The fee too.
  received_atoms numeric not null,
  quote_atoms numeric not null,
  fee_atoms numeric not null,
  primary key (day, market_id, liquidity, side, is_direct, tier, discount_ppm, fee_ppm)
);

-- When each user last traded in a market with a tier, and last with a discount of their own.
create table fee_users (
  market_id bigint not null,
  tier bigint not null,
  user_id bigint not null,
  last_day date not null,
  own_day date,
  primary key (market_id, tier, user_id)
);

-- The users of the 30 days that end with the day.
create table fee_day_users (
  day date not null,
  market_id bigint not null,
  tier bigint not null,
  users bigint not null,
  own_users bigint not null,
  primary key (day, market_id, tier)
);

-- ---- Surveillance -----------------------------------------------------------------------------

-- The parameters of each rule, and how far it has read.
create table surveillance_rules (
  rule text primary key check (rule in
    ('price_band', 'self_trade', 'cancel_ratio', 'unusual_withdrawal', 'new_country')),
  is_on boolean not null default true,
  parameters jsonb not null,
  updated_at timestamptz not null default now(),
  -- Rows up to this time are judged. Null: it has never run.
  checked_to timestamptz
);

insert into surveillance_rules (rule, parameters) values
  ('price_band', '{"window_minutes": 60, "hits_min": 3, "quiet_hours": 24}'),
  ('self_trade', '{"window_minutes": 60, "hits_min": 10, "quiet_hours": 24}'),
  ('cancel_ratio',
    '{"window_minutes": 10, "orders_min": 200, "percent_min": 97, "quiet_hours": 24}'),
  ('unusual_withdrawal',
    '{"days": 90, "count_min": 3, "times_min": 10, "deposit_hours": 24, "percent_min": 95,
      "value_min": 1000}'),
  ('new_country', '{"hours": 72}');

create table findings (
  id bigint generated always as identity primary key,
  rule text not null,
  user_id bigint not null references users (id),
  -- `market btc-usdt`, `withdrawal 12`.
  object text not null,
  -- The sum of its evidence: 100 is a limit that is just reached.
  score bigint not null default 0,
  evidence_count bigint not null default 0,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  created_at timestamptz not null default now(),
  state text not null default 'open' check (state in ('open', 'taken', 'closed')),
  result text check (result in ('no_issue', 'warned', 'frozen', 'reported')),
  -- Under the key of the user: the erasure of the person makes it unreadable.
  sealed_note bytea,
  taken_by bigint references users (id),
  taken_at timestamptz,
  closed_at timestamptz,
  check ((state = 'closed') = (closed_at is not null)),
  check ((state = 'closed') = (result is not null)),
  check (state <> 'taken' or taken_by is not null)
);
create unique index findings_under_way on findings (rule, user_id, object)
  where state <> 'closed';
create index findings_of_user on findings (user_id, id);
create index findings_taken_by on findings (taken_by);
create index findings_by_score on findings (state, score, id);
create index findings_by_time on findings (state, first_seen_at, id);
create index findings_by_closing on findings (closed_at);

create table finding_evidence (
  finding_id bigint not null references findings (id) on delete cascade,
  -- The begin of a window, or the withdrawal: the same rows give the same evidence again.
  key text not null,
  seen_at timestamptz not null,
  score bigint not null,
  content jsonb not null,
  primary key (finding_id, key)
);

-- ---- Roles ------------------------------------------------------------------------------------

update roles set permissions = permissions || '{/admin/health:get}'
  where name in ('supervisor', 'manager', 'support', 'auditor');
update roles set permissions = permissions || '{/admin/process:delete}'
  where name in ('supervisor', 'manager');
update roles set permissions = permissions || '{/admin/search:get,/admin/user/timeline:get}'
  where name in ('supervisor', 'manager', 'support', 'kyc', 'auditor');
update roles set permissions = permissions || '{/admin/exports:get}'
  where name in ('supervisor', 'auditor');
update roles set permissions = permissions || '{/admin/ledger/totals:get}'
where name in ('supervisor', 'manager', 'auditor');
update roles set permissions = permissions || '{/admin/fees/effect:post}'
where name in ('manager', 'auditor');
update roles set permissions = permissions || '{/admin/ledger/balances:get}'
where name in ('supervisor', 'manager', 'auditor');
update roles set permissions = permissions || '{/admin/ledger/postings:get}'
where name in ('supervisor', 'manager', 'auditor');
update roles set permissions = permissions || '{/admin/logout-everyone:post}'
where name in ('supervisor', 'manager');
update roles set permissions = permissions || '{/admin/findings:get}'
where name in ('supervisor', 'manager', 'kyc', 'auditor');
update roles set permissions = permissions || '{/admin/finding:get}'
where name in ('supervisor', 'manager', 'kyc', 'auditor');
update roles set permissions = permissions || '{/admin/surveillance/rules:get}'
where name in ('supervisor', 'manager', 'kyc', 'auditor');
update roles set permissions = permissions || '{/admin/finding:put}'
where name in ('supervisor', 'kyc');
update roles set permissions = permissions || '{/admin/surveillance/rules:put}'
where name in ('supervisor');
update roles set permissions = permissions || '{/admin/surveillance/try:post}'
where name in ('supervisor', 'auditor');
update roles set permissions = permissions || '{/admin/switches/impact:get}'
where name in ('supervisor', 'manager', 'auditor');
update roles set permissions = permissions || '{/admin/banner:put,/admin/banner:delete}'
where name in ('supervisor', 'manager', 'communicator');
