-- The administrator's interface: roles with powers, the audit, approvals, set-up, configuration of
-- the engine, staking.

-- ---- Roles ------------------------------------------------------------------------------------

alter table roles
  add column id bigint generated always as identity unique,
  add column description text not null default '',
  add column color text not null default '',
  -- Keys of the kit that the role may write.
  add column configs text[] not null default '{}',
  -- What a path cannot express; the names are in the code.
  add column powers text[] not null default '{}',
  -- A money act that is worth more than this needs another person; null: as the exchange says.
  add column money_ceiling numeric check (money_ceiling >= 0 and money_ceiling < 'Infinity');

update roles set powers = array['export', 'approve.money', 'approve.access', 'approve.config',
  'switch.stop', 'switch.resume', 'mail.raw', 'kit.secrets', 'break_glass'] where name = 'admin';
-- The default roles. testing/operators/role-table.ts has the same by area.
insert into roles (name, description, permissions, configs, powers, money_ceiling) values
  ('supervisor', 'Reviews users and withdrawals, votes', array[
    '/admin/exchange:get', '/admin/kit:get', '/admin/approvals:get', '/admin/approval:get',
    '/admin/approval:delete', '/admin/approval/vote:post', '/admin/users:get',
    '/admin/logins:get', '/admin/reveal:post', '/admin/reveal:put', '/admin/reveals:get',
    '/admin/user/sessions:get', '/admin/control:get', '/admin/user:put', '/admin/user/meta:put',
    '/admin/user/bank:post', '/admin/bank/verify:post', '/admin/bank/revoke:post',
    '/admin/upgrade-user:post', '/admin/verify-email:post', '/admin/user/payment-details:post',
    '/admin/user/payment-details:put', '/admin/user/payment-details:delete',
    '/admin/user/payment-details:get', '/admin/user/note:put', '/admin/flag-user:post',
    '/admin/user/activate:post', '/admin/user/revoke-session:post',
    '/admin/user/disable-withdrawal:post', '/admin/deactivate-otp:post', '/admin/user/email:put',
    '/admin/orders:get', '/admin/trades:get', '/admin/deposits:get', '/admin/withdrawals:get',
    '/admin/user/balance:get', '/admin/user/wallet:get', '/admin/user/balance-history:get',
    '/admin/user/trading-volume:get', '/admin/user/referer:get', '/admin/user/affiliation:get',
    '/admin/user/referral/code:get', '/admin/check-transaction:get', '/admin/balance:get',
    '/admin/balances:get', '/admin/order:delete', '/admin/mint:put', '/admin/burn:put',
    '/admin/switches:get', '/admin/frozen:get', '/admin/switches/stop:post',
    '/admin/switches/resume:post', '/admin/stakes:get', '/admin/stakers:get',
    '/admin/stake/analytics:get', '/admin/stake/slash-estimate:get', '/admin/audits:get',
    '/admin/audits/verify:get', '/admin/announcements:get', '/admin/email:get',
    '/admin/email/types:get', '/admin/announcements:post', '/admin/announcements:put',
    '/admin/announcements:delete', '/admin/send-email:post'
  ],
  '{}',
  array[
    'approve.money', 'approve.access', 'switch.stop', 'switch.resume', 'break_glass', 'pii.search'
  ], null),
  ('manager', 'Runs markets; only requests money acts', array[
    '/admin/exchange:get', '/admin/kit:get', '/admin/approvals:get', '/admin/approval:get',
    '/admin/approval:delete', '/admin/users:get', '/admin/logins:get', '/admin/user/sessions:get',
    '/admin/control:get', '/admin/user/note:put', '/admin/flag-user:post',
    '/admin/user/activate:post', '/admin/user/revoke-session:post',
    '/admin/user/disable-withdrawal:post', '/admin/orders:get', '/admin/trades:get',
    '/admin/deposits:get', '/admin/withdrawals:get', '/admin/user/balance:get',
    '/admin/user/wallet:get', '/admin/user/balance-history:get', '/admin/user/trading-volume:get',
    '/admin/user/referer:get', '/admin/user/affiliation:get', '/admin/user/referral/code:get',
    '/admin/check-transaction:get', '/admin/balance:get', '/admin/balances:get',
    '/admin/order:delete', '/admin/mint:post', '/admin/burn:post', '/admin/transfer:post',
    '/admin/trade:post', '/admin/withdrawal:post', '/admin/coins:get', '/admin/pairs:get',
    '/admin/fees:get', '/admin/transaction/limit:get', '/admin/limits:get', '/admin/coin:post',
    '/admin/coin:put', '/admin/pair:post', '/admin/pair:put', '/admin/pair/fees:put',
    '/admin/pair/band:put', '/admin/tier:post', '/admin/tier:put', '/admin/transaction/limit:put',
    '/admin/transaction/limit:delete', '/admin/quicktrade/config:put', '/admin/limits:put',
    '/admin/fees/settle:get', '/admin/switches:get', '/admin/frozen:get',
    '/admin/switches/stop:post', '/admin/stakes:get', '/admin/stakers:get',
    '/admin/stake/analytics:get', '/admin/stake/slash-estimate:get'
  ],
  '{}',
  array['switch.stop', 'pii.search'], 0),
  ('support', 'Helps users; sees masked data', array[
    '/admin/exchange:get', '/admin/kit:get', '/admin/approvals:get', '/admin/approval:get',
    '/admin/approval:delete', '/admin/users:get', '/admin/logins:get', '/admin/user/note:put',
    '/admin/flag-user:post', '/admin/deactivate-otp:post', '/admin/user/email:put',
    '/admin/orders:get', '/admin/trades:get', '/admin/deposits:get', '/admin/withdrawals:get',
    '/admin/user/balance:get', '/admin/user/wallet:get', '/admin/user/balance-history:get',
    '/admin/user/trading-volume:get', '/admin/user/referer:get', '/admin/user/affiliation:get',
    '/admin/user/referral/code:get', '/admin/check-transaction:get'
  ],
  '{}',
  '{}', null),
  ('kyc', 'Verifies people', array[
    '/admin/exchange:get', '/admin/kit:get', '/admin/approvals:get', '/admin/approval:get',
    '/admin/approval:delete', '/admin/users:get', '/admin/logins:get', '/admin/user:put',
    '/admin/user/meta:put', '/admin/user/bank:post', '/admin/bank/verify:post',
    '/admin/bank/revoke:post', '/admin/upgrade-user:post', '/admin/verify-email:post',
    '/admin/user/payment-details:post', '/admin/user/payment-details:put',
    '/admin/user/payment-details:delete', '/admin/user/payment-details:get',
    '/admin/user/note:put', '/admin/flag-user:post'
  ],
  '{}',
  array['pii.unmasked', 'pii.search'], null),
  ('communicator', 'Writes texts and announcements', array[
    '/admin/exchange:get', '/admin/kit:get', '/admin/approvals:get', '/admin/approval:get',
    '/admin/approval:delete', '/admin/kit:put', '/admin/announcements:get', '/admin/email:get',
    '/admin/email/types:get', '/admin/announcements:post', '/admin/announcements:put',
    '/admin/announcements:delete', '/admin/send-email:post'
  ],
  array['title', 'description', 'links', 'strings'],
  '{}', null),
  ('announcer', 'Writes announcements', array[
    '/admin/approvals:get', '/admin/approval:get', '/admin/approval:delete',
    '/admin/announcements:get', '/admin/email:get', '/admin/email/types:get',
    '/admin/announcements:post', '/admin/announcements:put', '/admin/announcements:delete',
    '/admin/send-email:post'
  ],
  '{}',
  '{}', null),
  ('auditor', 'Reads everything but personal data', array[
    '/admin/exchange:get', '/admin/kit:get', '/admin/approvals:get', '/admin/approval:get',
    '/admin/approval:delete', '/admin/users:get', '/admin/logins:get', '/admin/reveals:get',
    '/admin/user/sessions:get', '/admin/control:get', '/admin/user/payment-details:get',
    '/admin/orders:get', '/admin/trades:get', '/admin/deposits:get', '/admin/withdrawals:get',
    '/admin/user/balance:get', '/admin/user/wallet:get', '/admin/user/balance-history:get',
    '/admin/user/trading-volume:get', '/admin/user/referer:get', '/admin/user/affiliation:get',
    '/admin/user/referral/code:get', '/admin/check-transaction:get', '/admin/balance:get',
    '/admin/balances:get', '/admin/coins:get', '/admin/pairs:get', '/admin/fees:get',
    '/admin/transaction/limit:get', '/admin/limits:get', '/admin/switches:get',
    '/admin/frozen:get', '/admin/stakes:get', '/admin/stakers:get', '/admin/stake/analytics:get',
    '/admin/stake/slash-estimate:get', '/admin/audits:get', '/admin/audits/verify:get',
    '/admin/role:get', '/admin/endpoints:get', '/admin/operators:get', '/admin/announcements:get',
    '/admin/email:get', '/admin/email/types:get'
  ],
  '{}',
  array['export', 'pii.search'], null)
on conflict (name) do update set description = excluded.description,
  permissions = excluded.permissions, configs = excluded.configs, powers = excluded.powers,
  money_ceiling = excluded.money_ceiling;
update roles set description = 'Everything; other people approve acts of weight'
  where name = 'admin';

-- When the user got the present role: new operators do not vote.
alter table users add column role_since timestamptz;
update users set role_since = updated_at where role is not null;

create function date_role() returns trigger language plpgsql as $$
begin
  new.role_since := case when new.role is null then null else now() end;
  return new;
end $$;
create trigger date_role before insert on users for each row
  when (new.role is not null and new.role_since is null) execute function date_role();
create trigger date_new_role before update of role on users for each row
  when (new.role is distinct from old.role) execute function date_role();

-- ---- Control of the exchange ------------------------------------------------------------------

-- setup: no approvals, little money; ends for good. normal: acts of weight need other people.
-- single_operator: a time lock replaces the other person.
create table exchange_control (
  is_only boolean primary key default true check (is_only),
  mode text not null default 'setup' check (mode in ('setup', 'normal', 'single_operator')),
  setup_ended_at timestamptz,
  -- In the currency of the withdrawal policy, within 24 hours.
  one_approval_from numeric not null default 1000
    check (one_approval_from >= 0 and one_approval_from < 'Infinity'),
  two_approvals_from numeric not null default 50000
    check (two_approvals_from >= one_approval_from and two_approvals_from < 'Infinity'),
  -- Votes from an address at which the requester logged in within 30 days do not count.
  votes_need_other_address boolean not null default false,
  updated_at timestamptz not null default now(),
  check ((mode = 'setup') = (setup_ended_at is null))
);
insert into exchange_control default values;

create function keep_setup_ended() returns trigger language plpgsql as $$
begin
  if old.setup_ended_at is not null and new.setup_ended_at is distinct from old.setup_ended_at then
    raise exception 'the set-up has ended for good' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_setup_ended before update on exchange_control for each row
  execute function keep_setup_ended();

-- Of the browser, the same for all its users; only of operators. Those who share a browser do not
-- vote on each other's acts.
alter table devices add column browser_hash bytea check (length(browser_hash) = 32);
create index devices_by_browser on devices (browser_hash) where browser_hash is not null;

-- ---- Audit ------------------------------------------------------------------------------------

create table audit_entries (
  seq bigint primary key check (seq > 0),
  at timestamptz not null,
  -- Null: a tool on the server, or the exchange itself.
  actor_id bigint references users (id),
  -- `key 12`, `session 34`, `tool`, `system`.
  credential text not null,
  address text not null,
  act text not null,
  object text not null,
  -- The user whom it concerns.
  subject_id bigint references users (id),
  before jsonb,
  after jsonb,
  -- Personal values, under the key of the subject.
  sealed bytea,
  approval_id bigint,
  prev bytea not null check (length(prev) = 32),
  hash bytea not null check (length(hash) = 32),
  -- Of the hash, with the audit's own key: nobody writes an entry by SQL alone.
  mac bytea not null check (length(mac) = 32)
);
create index audit_entries_of_actor on audit_entries (actor_id, seq);
create index audit_entries_of_subject on audit_entries (subject_id, seq)
  where subject_id is not null;
create index audit_entries_of_act on audit_entries (act, seq);
create index audit_entries_of_object on audit_entries (object, seq);
create index audit_entries_by_time on audit_entries (at, seq);

-- The last entry. Locked by each writer until its transaction ends, after all other locks.
create table audit_head (
  is_only boolean primary key default true check (is_only),
  seq bigint not null,
  hash bytea not null,
  -- The newest entry of which an anchor was sent to the command log.
  anchored_seq bigint not null default 0
);
insert into audit_head (seq, hash) values (0, decode(repeat('00', 32), 'hex'));

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit entries are only added' using errcode = 'insufficient_privilege';
end $$;
create trigger refuse_audit_change before update or delete or truncate on audit_entries
  for each statement execute function refuse_audit_change();

-- Signs checkpoints and entries. Sealed: access to the tables is not enough to sign.
create table audit_keys (
  id bigint primary key check (id = 1),
  kek_id bigint not null,
  sealed bytea not null,
  created_at timestamptz not null default now()
);

-- The signed head, every minute with a new entry and every 1,000 entries.
create table audit_checkpoints (
  seq bigint primary key check (seq > 0),
  note text not null
);
create trigger refuse_audit_change before update or delete or truncate on audit_checkpoints
  for each statement execute function refuse_audit_change();

-- ---- Approvals --------------------------------------------------------------------------------

create table approval_requests (
  id bigint generated always as identity primary key,
  act text not null,
  -- The power that a vote needs.
  vote_power text not null,
  -- Fixed: what is voted on is what is done.
  payload jsonb not null,
  payload_hash bytea not null check (length(payload_hash) = 32),
  shown jsonb not null,
  object text not null,
  object_version text not null,
  -- In the currency of the withdrawal policy; null: no money, or no price.
  value numeric,
  -- To be retyped by voters if two are needed: `10 btc`.
  retype text,
  requester_id bigint not null references users (id),
  requester_role text not null,
  requester_credential text not null,
  requester_address text not null,
  beneficiaries bigint[] not null,
  needed bigint not null check (needed between 0 and 2),
  state text not null default 'pending' check (
    state in ('pending', 'executed', 'failed', 'rejected', 'expired', 'withdrawn', 'stale')
  ),
  -- With a time lock instead of other people: not before.
  executes_at timestamptz,
  -- Why it failed or is stale.
  reason text,
  result jsonb,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'pending') = (ended_at is null))
);
create index approval_requests_by_state on approval_requests (state, id);
create index approval_requests_of_requester on approval_requests (requester_id, id);
create index pending_approval_requests on approval_requests (expires_at) where state = 'pending';

create function keep_approval_payload() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.state <> 'pending' or (
      new.act, new.vote_power, new.payload, new.payload_hash, new.shown, new.object,
      new.object_version, new.value, new.retype, new.requester_id, new.requester_role,
      new.beneficiaries, new.needed, new.executes_at, new.created_at, new.expires_at
    ) is distinct from (
      old.act, old.vote_power, old.payload, old.payload_hash, old.shown, old.object,
      old.object_version, old.value, old.retype, old.requester_id, old.requester_role,
      old.beneficiaries, old.needed, old.executes_at, old.created_at, old.expires_at
    ) then
    raise exception 'a request for approval does not change' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_approval_payload before update or delete on approval_requests
  for each row execute function keep_approval_payload();

create table approval_votes (
  request_id bigint not null references approval_requests (id),
  approver_id bigint not null references users (id),
  vote text not null check (vote in ('approve', 'reject')),
  payload_hash bytea not null,
  -- What proved the person: `totp`, `passkey`.
  factor text not null,
  session_id bigint not null,
  created_at timestamptz not null,
  primary key (request_id, approver_id)
);
create index approval_votes_of_approver on approval_votes (approver_id);

-- What operators moved, for sums of 24 hours: splitting an amount does not help.
create sequence operator_movement_acts;
create table operator_movements (
  id bigint generated always as identity primary key,
  -- One act has one row for each user who gains.
  act_id bigint not null,
  at timestamptz not null,
  operator_id bigint not null references users (id),
  -- Who gained.
  beneficiary_id bigint references users (id),
  act text not null,
  -- How many other people approved: an approved amount is not counted again.
  approvals bigint not null check (approvals >= 0),
  -- Null: it had no price, and two people approved it.
  value numeric check (value >= 0),
  check (value is not null or approvals >= 2)
);
create index operator_movements_by_time on operator_movements (at);
create index operator_movements_of_operator on operator_movements (operator_id, at);
create index operator_movements_of_beneficiary on operator_movements (beneficiary_id, at);

-- ---- Commands of operators to the engine -------------------------------------------------------

-- Configuration, and orders on behalf of users. Money commands are in the outbox.
create table engine_commands (
  id bigint generated always as identity primary key,
  kind text not null,
  schema_version bigint not null,
  -- As the codec writes it, with source and number 0.
  record bytea not null,
  -- The command that lists the asset or market of this one.
  follows bigint references engine_commands (id),
  created_at timestamptz not null default now(),
  -- Committed before it is first sent: a copy may be in the log.
  attempted_at timestamptz,
  state text not null default 'waiting' check (state in ('waiting', 'accepted', 'refused')),
  refusal text,
  -- The outcome is in this frame or before it.
  frame bigint,
  command_number bigint,
  -- The asset or market that it listed.
  listed bigint,
  settled_at timestamptz,
  check ((state = 'waiting') = (settled_at is null)),
  check ((state = 'waiting') = (frame is null)),
  check ((state = 'refused') = (refusal is not null))
);
create index waiting_engine_commands on engine_commands (id) where state = 'waiting';

-- ---- First administrator, kit, mail -----------------------------------------------------------

-- Tokens that servers printed while the exchange had no administrator. Each is good for one
-- sign-up; the first administrator, however made, ends them all.
create table setup_tokens (
  token_hash bytea primary key check (length(token_hash) = 32),
  created_at timestamptz not null default now()
);

create function end_setup_tokens() returns trigger language plpgsql as $$
begin
  -- In turn with servers that print one.
  perform from exchange_control for update;
  delete from setup_tokens;
  return null;
end $$;
create trigger end_setup_tokens after insert on users for each row
  when (new.role = 'admin') execute function end_setup_tokens();
-- The operator's own texts of mails, instead of those of the release.
create table mail_texts (
  kind text not null,
  language text not null,
  subject text not null check (length(subject) between 1 and 150),
  paragraphs text[] not null check (cardinality(paragraphs) between 1 and 20),
  updated_at timestamptz not null default now(),
  primary key (kind, language)
);

-- Two people agreed that a single operator may be chosen, not before this time.
alter table exchange_control add column single_operator_from timestamptz;

create trigger end_setup_tokens_of_role after update of role on users for each row
  when (new.role = 'admin') execute function end_setup_tokens();

-- ---- Users and personal data ------------------------------------------------------------------

-- Keyed hashes of personal values, so that people are found by them while the values stay sealed:
-- a phone number, a document number, words of the name and their beginnings, the birth date with
-- its month and year, gender, nationality. They go with the data that they are made from.
create table personal_tokens (
  user_id bigint not null references personal_data (user_id) on delete cascade,
  field text not null
    check (field in ('phone', 'document', 'name', 'birth', 'gender', 'nationality')),
  token_mac bytea not null check (length(token_mac) = 16),
  primary key (user_id, field, token_mac)
);
create index personal_tokens_by_mac on personal_tokens (field, token_mac, user_id);

alter table personal_data
  -- The key that made the tokens; null: they are still to be made.
  add column token_kek_id bigint,
  -- Of the identity document, as on the wire: 0 empty, 1 pending, 2 rejected, 3 completed.
  add column document_status bigint not null default 0 check (document_status between 0 and 3);
create index personal_data_by_token_key on personal_data (token_kek_id, user_id);
create index personal_data_by_document_status on personal_data (document_status, user_id)
  where document_status <> 0;

-- Operators find users by any part of the e-mail address or username that has three characters.
create function trigrams(value text) returns text[] language sql immutable strict parallel safe
as $$
  select array(
    select distinct substr(value, at, 3) from generate_series(1, length(value) - 2) as at)
$$;
create index users_by_trigrams on users using gin (trigrams(lower(email || ' ' || username)));
create index users_by_time on users (created_at, id);
create index users_by_level on users (verification_level, id);
create index users_by_state on users (state, id);
create index users_by_username on users (lower(username), id);
create index bank_accounts_by_status on bank_accounts (status, user_id) where removed_at is null;

-- How many people an operator of the role may look up; null: as many as needed.
alter table roles
  add column lookups_per_hour bigint default 60 check (lookups_per_hour >= 0),
  add column lookups_per_day bigint default 300 check (lookups_per_day >= 0);
update roles set lookups_per_hour = null, lookups_per_day = null
  where name in ('admin', 'supervisor', 'manager', 'auditor');
update roles set lookups_per_hour = 100, lookups_per_day = null where name = 'kyc';
update roles set powers = powers || array['pii.search']
  where name in ('admin', 'supervisor', 'manager', 'kyc', 'auditor')
    and not powers @> array['pii.search'];
update roles set powers = powers || array['pii.unmasked']
  where name = 'kyc' and not powers @> array['pii.unmasked'];

-- Personal data of one user in the clear for one operator, for a reason and a short time. Another
-- person reviews each.
create table reveals (
  id bigint generated always as identity primary key,
  operator_id bigint not null references users (id),
  subject_id bigint not null references users (id),
  -- As on the wire.
  fields text[] not null check (cardinality(fields) > 0),
  reason text not null check (length(reason) between 10 and 500),
  ticket text not null check (length(ticket) between 1 and 64),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  reviewer_id bigint references users (id) check (reviewer_id not in (operator_id, subject_id)),
  verdict text check (verdict in ('justified', 'unjustified')),
  comment text not null default '' check (length(comment) <= 500),
  reviewed_at timestamptz,
  check ((verdict is null) = (reviewed_at is null)),
  check ((verdict is null) = (reviewer_id is null))
);
create index reveals_of_operator on reveals (operator_id, id);
create index reveals_of_subject on reveals (subject_id, id);
create index reveals_of_reviewer on reveals (reviewer_id) where reviewer_id is not null;

-- Each look-up of people by an operator. The budgets are counted here.
create table data_lookups (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  operator_id bigint not null references users (id),
  -- Null: a list, or nobody was found.
  subject_id bigint references users (id),
  -- Personal fields that were shown in the clear, as on the wire; '{}': all were masked.
  fields text[] not null default '{}',
  -- How the person was found: `id`, `search`, `list`, `file`, `reveal`.
  reason text not null,
  reveal_id bigint references reveals (id)
);
create index data_lookups_of_operator on data_lookups (operator_id, at);
create index data_lookups_of_subject on data_lookups (subject_id, at)
  where subject_id is not null;
create index data_lookups_by_time on data_lookups (at);

-- ---- Lists ------------------------------------------------------------------------------------

-- Every filter of a list over all users is served by an index, newest first.
create index logins_by_time on logins (created_at, id);
create index logins_by_address on logins (ip, created_at, id);
create index logins_by_country on logins (country, created_at, id);
create index sessions_by_time on sessions (created_at, id);
create index sessions_by_use on sessions (last_seen_at) where last_seen_at is not null;
create index wallets_by_time on wallets (created_at, id);
create index wallets_in_currency on wallets (currency, id);
create index wallets_in_network on wallets (network, id);
create index wallets_by_any_address on wallets (address, id);
create index unused_wallets on wallets (id) where not is_valid;
create index referral_codes_by_time on referral_codes (created_at, code);
create index deposit_requests_by_description on deposit_requests (description, id)
  where description <> '';
create index withdrawal_requests_by_description on withdrawal_requests (description, id)
  where description <> '';

-- ---- Money acts -------------------------------------------------------------------------------

-- An operator's choice; null: the usual mails, which transfers within the exchange do not cause.
alter table deposit_requests add column with_mail boolean;
alter table withdrawal_requests add column with_mail boolean;

-- The fees of withdrawals, by the time of their end.
create index withdrawal_fees on withdrawal_requests (updated_at, id)
  where kind = 'withdrawal' and state = 'completed' and fee_atoms > 0;

-- Trades that operators entered: one signed request is one trade.
create table direct_trades (
  id bigint generated always as identity primary key,
  operator_id bigint not null references users (id),
  maker_id bigint not null references users (id),
  taker_id bigint not null references users (id),
  symbol text not null,
  signature_hash bytea unique,
  created_at timestamptz not null
);
create index direct_trades_of_operator on direct_trades (operator_id);
create index direct_trades_of_maker on direct_trades (maker_id);
create index direct_trades_of_taker on direct_trades (taker_id);

-- ---- Coins, markets, switches -----------------------------------------------------------------

-- What operators stopped by a switch, to resume it as it was.
create table stops (
  name text not null check (name in ('trading', 'deposits', 'withdrawals')),
  -- A market or a coin.
  symbol text not null,
  -- The status of the market before; empty for coins.
  previous text not null,
  stopped_by bigint not null references users (id),
  stopped_at timestamptz not null,
  primary key (name, symbol)
);
create index stops_of_operator on stops (stopped_by);

-- ---- Staking ----------------------------------------------------------------------------------

-- account_id funds the rewards. reserve_id holds the principals and the rewards that are promised:
-- an account of the house, whose money only leaves by settlements.
create table stake_pools (
  id bigint generated always as identity primary key,
  name text not null unique check (length(name) between 1 and 256),
  category text check (length(category) <= 256),
  disclaimer text check (length(disclaimer) <= 10000),
  -- Who made it.
  user_id bigint not null references users (id),
  account_id bigint not null references users (id),
  reserve_id bigint not null unique references users (id),
  asset_id bigint not null,
  currency text not null,
  scale bigint not null,
  reward_asset_id bigint not null,
  reward_currency text not null,
  reward_scale bigint not null,
  -- Null: without an end.
  duration_days bigint check (duration_days between 1 and 3650),
  min_atoms bigint not null check (min_atoms > 0),
  max_atoms bigint not null check (max_atoms > min_atoms),
  early_unstake boolean not null,
  principal_slash_ppm bigint not null check (principal_slash_ppm between 0 and 1000000),
  reward_slash_ppm bigint not null check (reward_slash_ppm between 0 and 1000000),
  -- False: the days of the pool earn nothing; operators adjust its stakes.
  is_automatic boolean not null,
  onboarding boolean not null default false,
  state text not null default 'uninitialized'
    check (state in ('uninitialized', 'active', 'paused', 'terminated')),
  -- The last day whose rewards are counted.
  accrued_to date not null,
  paused_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (account_id <> reserve_id),
  check (duration_days is not null
    or (not early_unstake and principal_slash_ppm = 0 and reward_slash_ppm = 0)),
  check (not onboarding or state in ('active', 'paused'))
);
create index stake_pools_of_user on stake_pools (user_id);
create index stake_pools_of_account on stake_pools (account_id);

create function keep_stake_pool() returns trigger language plpgsql as $$
begin
  if new.reserve_id <> old.reserve_id or new.accrued_to < old.accrued_to
    or (old.state = 'terminated' and new.state <> 'terminated')
    or (old.state <> 'uninitialized' and (new.state = 'uninitialized'
      or new.asset_id <> old.asset_id or new.reward_asset_id <> old.reward_asset_id)) then
    raise exception 'a stake pool does not change like this' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_stake_pool before update on stake_pools for each row
  execute function keep_stake_pool();

-- The rate of a day is that of the last row up to it. In millionths of a percent.
create table stake_pool_rates (
  pool_id bigint not null references stake_pools (id),
  from_day date not null,
  apy_micro bigint not null check (apy_micro between 0 and 10000000000),
  primary key (pool_id, from_day)
);

-- A day of a pool, with the rate and the price that all its stakes get.
create table stake_pool_days (
  pool_id bigint not null references stake_pools (id),
  day date not null,
  apy_micro bigint not null,
  -- Of the staked coin in the coin of the reward, with 18 decimals.
  price_units numeric not null check (price_units >= 0 and price_units = trunc(price_units)),
  -- Null while stakes of the day are still being counted.
  sum_atoms bigint check (sum_atoms >= 0),
  primary key (pool_id, day)
);

create table stakes (
  id bigint generated always as identity primary key,
  pool_id bigint not null references stake_pools (id),
  user_id bigint not null references users (id),
  principal_atoms bigint not null check (principal_atoms > 0),
  -- opening: the engine has not answered yet. refused: by the engine; never a stake.
  state text not null default 'opening'
    check (state in ('opening', 'refused', 'staking', 'unstaking', 'settling', 'closed')),
  -- The terms of the day on which it was made; later changes of the pool do not worsen them.
  duration_days bigint,
  early_unstake boolean not null,
  principal_slash_ppm bigint not null,
  reward_slash_ppm bigint not null,
  -- It earns for the days after opened_day, up to end_day.
  opened_day date,
  closing_day date,
  last_day date,
  end_day date,
  -- accrued_atoms is the numerator by the divisor of the pool, rounded down.
  numerator numeric not null default 0 check (numerator >= 0 and numerator = trunc(numerator)),
  accrued_atoms bigint not null default 0 check (accrued_atoms >= 0),
  -- The sum of what operators added and took away.
  adjusted_atoms bigint not null default 0 check (accrued_atoms + adjusted_atoms >= 0),
  -- A value that operators state; it moves no money.
  nav_atoms bigint not null check (nav_atoms >= 0),
  is_early boolean not null default false,
  -- The reward has been given to the outbox.
  reward_settled boolean not null default false,
  closing_at timestamptz,
  unstaked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((state in ('opening', 'refused')) = (opened_day is null)),
  check ((opened_day is null) = (last_day is null)),
  check (state not in ('unstaking', 'settling', 'closed') or end_day is not null),
  check (last_day between opened_day and coalesce(end_day, last_day))
);
create index stakes_of_user on stakes (user_id, created_at, id);
create index stakes_of_pool on stakes (pool_id, last_day, id)
  where state in ('staking', 'unstaking');
create index stakes_by_time on stakes (created_at, id);
create index stakes_under_way on stakes (id)
  where state in ('opening', 'unstaking', 'settling');
create index stakes_to_mature on stakes (end_day, id) where state = 'staking';

-- A stake earns once for each day.
create table stake_accruals (
  stake_id bigint not null references stakes (id),
  day date not null,
  pool_id bigint not null,
  atoms bigint not null check (atoms >= 0),
  primary key (stake_id, day),
  foreign key (pool_id, day) references stake_pool_days (pool_id, day)
);
create index stake_accruals_of_day on stake_accruals (pool_id, day) include (atoms);

-- A movement is one command of the outbox. One that the engine refuses gets a new position, except
-- that of a new stake.
create table stake_movements (
  id bigint generated always as identity primary key,
  pool_id bigint not null references stake_pools (id),
  stake_id bigint references stakes (id),
  -- open: user to reserve. day: account to reserve, for the rewards of a day. adjust: between
  -- account and reserve. principal, reward: reserve to user. slashed_…: reserve to account.
  kind text not null check (kind in ('open', 'day', 'adjust', 'principal', 'reward',
    'slashed_principal', 'slashed_reward')),
  day date,
  sender_id bigint not null,
  receiver_id bigint not null check (receiver_id <> sender_id),
  asset_id bigint not null,
  amount_atoms bigint not null check (amount_atoms > 0),
  channel bigint not null,
  sequence bigint not null,
  state text not null default 'waiting' check (state in ('waiting', 'accepted', 'refused')),
  created_at timestamptz not null default now(),
  foreign key (channel, sequence) references outbox (channel, sequence),
  unique (channel, sequence),
  check ((kind = 'day') = (day is not null)),
  check ((kind = 'day') = (stake_id is null))
);
create unique index stake_movements_of_day on stake_movements (pool_id, day) where kind = 'day';
create unique index stake_movements_once on stake_movements (stake_id, kind)
  where kind not in ('day', 'adjust');
create index stake_movements_of_stake on stake_movements (stake_id) where stake_id is not null;
create index open_stake_movements on stake_movements (id) where state <> 'accepted';
create index open_stake_days on stake_movements (pool_id, day)
  where kind = 'day' and state <> 'accepted';

-- For the stream: insert is a new stake, delete one that ends, update everything else.
create table stake_changes (
  id bigint generated always as identity primary key,
  stake_id bigint not null references stakes (id),
  action text not null check (action in ('insert', 'update', 'delete')),
  published_at timestamptz
);
create index stake_changes_to_publish on stake_changes (id) where published_at is null;

create function record_stake_change() returns trigger language plpgsql as $$
begin
  if new.state in ('opening', 'refused', 'settling') then return null; end if;
  insert into stake_changes (stake_id, action) values (new.id, case
    when old.state = 'opening' then 'insert'
    when old.state = 'staking' and new.state = 'unstaking' then 'delete'
    else 'update' end);
  return null;
end $$;
create trigger record_stake_change after update on stakes for each row
  when ((old.state, old.nav_atoms, old.adjusted_atoms)
    is distinct from (new.state, new.nav_atoms, new.adjusted_atoms))
  execute function record_stake_change();
