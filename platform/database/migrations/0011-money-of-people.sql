-- Withdrawals that people confirm, address books, sub-accounts, referral, and what surrounds them.

-- ---- Withdrawals ------------------------------------------------------------------------------

alter table withdrawal_requests
  drop constraint withdrawal_requests_state_check,
  add check (
    state in (
      'unconfirmed', 'awaiting_recipient', 'opening', 'executing', 'in_review', 'approved',
      'claimed', 'completing', 'canceling', 'dismissing', 'rejecting', 'expiring',
      'completed', 'refused', 'canceled', 'dismissed', 'rejected', 'expired'
    )
  ),
  -- 0 when no session asked for it.
  add column session_id bigint not null default 0,
  -- How many operators must approve it once the amount is held, and who has.
  add column reviews_needed bigint not null default 0 check (reviews_needed between 0 and 2),
  add column approved_by bigint[] not null default '{}',
  -- Who pays it.
  add column claimed_by bigint,
  add column claimed_at timestamptz,
  -- When an unconfirmed request, or one whose recipient is unknown, ends.
  add column expires_at timestamptz,
  -- The lines of the policy: rule, result, facts.
  add column policy_lines jsonb;

alter table withdrawal_requests rename column verdict_input to policy_input;

-- The operator's own thresholds of the withdrawal policy; the code has a default for each.
create table withdrawal_policy_settings (
  is_only boolean primary key default true check (is_only),
  content jsonb not null check (jsonb_typeof(content) = 'object'),
  updated_at timestamptz not null default now()
);

-- Money that has just arrived.
create index completed_deposit_requests_of_user on deposit_requests (user_id, updated_at)
  where state = 'completed';

-- For the policy: open requests of a family, and sums by address without the case of letters.
create index open_withdrawal_requests_of_user on withdrawal_requests (user_id)
  where state not in ('completed', 'refused', 'canceled', 'dismissed', 'rejected', 'expired');
create index withdrawal_requests_to_address on withdrawal_requests (lower(address), created_at);

create index withdrawal_requests_to_expire on withdrawal_requests (expires_at)
  where state in ('unconfirmed', 'awaiting_recipient');
-- One code confirms one request: a new one replaces the one before.
create unique index unconfirmed_withdrawal_request on withdrawal_requests (user_id)
  where state = 'unconfirmed';
-- What an operator marked by hand is a state now: a claim, or a review.
update withdrawal_requests set state = 'claimed' where state = 'approved' and processing;
update withdrawal_requests set state = 'in_review', reviews_needed = 1
  where state = 'approved' and waiting;
drop index waiting_withdrawal_requests, processing_withdrawal_requests;
alter table withdrawal_requests drop column processing, drop column waiting;
create index processing_withdrawal_requests on withdrawal_requests (id)
  where state in ('claimed', 'completing');
create index waiting_withdrawal_requests on withdrawal_requests (id)
  where state in ('unconfirmed', 'awaiting_recipient', 'in_review');

-- ---- Changes of deposits and withdrawals ------------------------------------------------------

-- Every change of state, written by the database itself, so that no code can forget one. The
-- stream and the mails are made from these rows.
create table transfer_changes (
  id bigint generated always as identity primary key,
  withdrawal_request bigint references withdrawal_requests (id),
  deposit_request bigint references deposit_requests (id),
  -- The request's user; the request itself refers to the row of users.
  user_id bigint not null,
  state text not null,
  changed_at timestamptz not null default clock_timestamp(),
  -- Null until it has been published to the stream, or made into a mail.
  published_at timestamptz,
  mailed_at timestamptz,
  check (num_nonnulls(withdrawal_request, deposit_request) = 1)
);

create index transfer_changes_to_publish on transfer_changes (id) where published_at is null;
create index transfer_changes_to_mail on transfer_changes (id) where mailed_at is null;
create index transfer_changes_of_withdrawal on transfer_changes (withdrawal_request, id)
  where withdrawal_request is not null;
create index transfer_changes_of_deposit on transfer_changes (deposit_request, id)
  where deposit_request is not null;

create function record_withdrawal_change() returns trigger language plpgsql as $$
begin
  insert into transfer_changes (withdrawal_request, user_id, state)
  values (new.id, new.user_id, new.state);
  return null;
end
$$;
create function record_deposit_change() returns trigger language plpgsql as $$
begin
  insert into transfer_changes (deposit_request, user_id, state)
  values (new.id, new.user_id, new.state);
  return null;
end
$$;
create trigger withdrawal_begins after insert on withdrawal_requests
  for each row execute function record_withdrawal_change();
create trigger withdrawal_moves after update of state on withdrawal_requests
  for each row when (old.state is distinct from new.state)
  execute function record_withdrawal_change();
create trigger deposit_begins after insert on deposit_requests
  for each row execute function record_deposit_change();
create trigger deposit_moves after update of state on deposit_requests
  for each row when (old.state is distinct from new.state)
  execute function record_deposit_change();

-- ---- Causes of deposits -----------------------------------------------------------------------

-- The output of a transaction, in a network, that was credited: `network/transaction/output`, in
-- the spelling of domain/transfers/causes.ts. A cause has one row for ever. Null for transfers, and
-- for what only its user has announced.
alter table deposit_requests add column cause text;
drop index deposit_requests_by_cause;

-- Without blanks and invisible characters; compatible characters are one.
create function visible_text(given text) returns text language sql as $$
  select regexp_replace(normalize(given, nfkc),
    '[\s\u0001-\u0020\u007F-\u00A0\u00AD\u0600-\u0605\u061C\u06DD\u070F\u0890-\u0891\u08E2\u1680'
    '\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uE000-\uF8FF\uFEFF\uFFF9-\uFFFB\U000110BD'
    '\U000110CD\U00013430-\U0001343F\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0001'
    '\U000E0020-\U000E007F]', '', 'g')
$$;

-- A hash of 32 bytes in Base64 becomes hexadecimal, one with `0x` loses it; the rest is lower case.
create function plain_transaction(given text) returns text language sql as $$
  select case when base64 ~ '^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=?$'
    then encode(decode(rpad(base64, 44, '='), 'base64'), 'hex')
    else regexp_replace(lower(visible), '^0x(?=[0-9a-f]{64}$)', '') end
  from (select visible, translate(visible, '-_', '+/') as base64
    from (select visible_text(given) as visible) v) b
$$;

-- Rows of one transaction that were credited become its outputs, by their order. A row that failed
-- gets a cause only if no other row has it; crediting it again names its cause first.
with spelled as (
  select r.id, r.asset_id,
    r.state in ('refused', 'canceled', 'dismissed', 'rejected', 'expired') as has_failed,
    case when r.kind = 'mint' or c.network is null then ''
      else lower(visible_text(
        coalesce(r.network, case when c.network not like '%,%' then c.network end, '')))
    end as network,
    plain_transaction(r.transaction_id) as transaction
  from deposit_requests r left join coins c on c.symbol = r.currency
  where r.kind <> 'transfer'
),
numbered as (
  select id, network, transaction, has_failed,
    row_number() over (cause order by has_failed, id) - 1 as output,
    bool_and(has_failed) over (cause) as have_all_failed
  from spelled
  window cause as (partition by asset_id, network, transaction)
)
update deposit_requests r set cause = n.network || '/' || n.transaction || '/' || n.output
from numbered n
where n.id = r.id and (not n.has_failed or (n.have_all_failed and n.output = 0));

drop function plain_transaction, visible_text;
create unique index deposit_requests_by_cause on deposit_requests (asset_id, cause);

-- ---- Address book -----------------------------------------------------------------------------

-- Where a person withdraws to. A row never changes its address: another address is another row, so
-- that it waits its own time. A label says nothing about age.
create table address_book (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  label text not null,
  -- As domain/addresses writes it: one address has one spelling.
  address text not null,
  -- '' for none.
  tag text not null default '',
  -- '' for a currency without networks.
  network text not null,
  currency text not null,
  created_at timestamptz not null default now(),
  -- Withdrawals may go there from then on.
  active_at timestamptz not null,
  removed_at timestamptz,
  -- Checked at the commit: two entries may exchange their labels.
  exclude using btree (user_id with =, label with =) where (removed_at is null)
    deferrable initially deferred
);

create index address_book_of_user on address_book (user_id, id);
create unique index address_book_by_address
  on address_book (user_id, currency, network, address, tag) where removed_at is null;
create index address_book_removed on address_book (removed_at) where removed_at is not null;

-- `book_only` counts until then; null: until it is switched off.
alter table users add column book_only_until timestamptz;

-- ---- Deposit addresses ------------------------------------------------------------------------

-- Addresses that the operator controls, for exchanges without a custody of their own. An address
-- with a memo is shared: each user has a memo. Any other address is given to one user, for ever.
create table manual_addresses (
  id bigint generated always as identity primary key,
  currency text not null,
  network text not null,
  address text not null,
  has_memo boolean not null,
  assigned_to bigint references users (id),
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  check (not has_memo or assigned_to is null)
);

create unique index manual_addresses_shared on manual_addresses (currency, network)
  where has_memo and removed_at is null;
create unique index manual_addresses_own on manual_addresses (network, address)
  where not has_memo;
create index manual_addresses_free on manual_addresses (currency, network, id)
  where not has_memo and assigned_to is null and removed_at is null;
create index manual_addresses_assigned on manual_addresses (assigned_to)
  where assigned_to is not null;

-- A user has one address in use for each currency and network, and nobody else has it.
drop index wallets_of_user;
drop index wallets_by_address;
create unique index wallets_of_user on wallets (user_id, currency, network) where is_valid;
create unique index wallets_by_address on wallets (address, currency, network) where is_valid;
create index wallets_by_user on wallets (user_id, id);

-- ---- Bank accounts and payment details --------------------------------------------------------

create table bank_accounts (
  -- 16 hexadecimal digits; a withdrawal names it as its address.
  id text primary key check (id ~ '^[0-9a-f]{16}$'),
  user_id bigint not null references users (id),
  status text not null check (status in ('empty', 'pending', 'rejected', 'verified')),
  -- JSON, encrypted with the person's key.
  sealed bytea not null,
  -- The operator who verified or rejected it, and what the operator tells the owner.
  decided_by bigint references users (id),
  decided_at timestamptz,
  message text not null default '',
  removed_at timestamptz,
  created_at timestamptz not null default now()
);

create index bank_accounts_of_user on bank_accounts (user_id, created_at, id)
  where removed_at is null;
create index bank_accounts_to_review on bank_accounts (created_at, id)
  where status = 'pending' and removed_at is null;
create index bank_accounts_by_decider on bank_accounts (decided_by) where decided_by is not null;

create table payment_details (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  is_p2p boolean not null,
  is_fiat_control boolean not null,
  status text not null check (status in ('empty', 'pending', 'rejected', 'verified')),
  -- JSON with name, label and details, encrypted with the person's key.
  sealed bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index payment_details_of_user on payment_details (user_id, id);
create index payment_details_to_review on payment_details (updated_at, id)
  where status = 'pending';

-- How many requests a person has in progress.
create index pending_deposit_requests_of_user on deposit_requests (user_id, currency)
  where state = 'pending';
create index fiat_withdrawal_requests_of_user on withdrawal_requests (user_id, currency, state)
  where network = 'fiat';

-- ---- Sub-accounts and shared accounts ---------------------------------------------------------

-- A sub-account is a row of users with a parent. It is removed by closing it; the label is then
-- free again, because removal renames it.
create table sub_accounts (
  user_id bigint primary key references users (id),
  parent_id bigint not null references users (id),
  label text not null check (length(label) between 1 and 64),
  color text check (length(color) <= 32),
  created_at timestamptz not null default now()
);

create unique index sub_accounts_by_label on sub_accounts (parent_id, lower(label));

-- A person, the owner, lets another person, the guest, read and trade in the account.
create table shared_accounts (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  -- Null if nobody has the address: the owner must not learn it from what is shared.
  guest_id bigint references users (id),
  -- The address as the owner gave it, sealed; bound to the reference.
  reference uuid not null unique,
  kek_id bigint not null,
  sealed_email bytea not null,
  label text not null default '' check (length(label) <= 64),
  state text not null default 'active' check (state in ('active', 'paused')),
  created_at timestamptz not null default now()
);

create index shared_accounts_of_owner on shared_accounts (user_id, id);
create index shared_accounts_of_guest on shared_accounts (guest_id, id) where guest_id is not null;

-- The login session from which a person entered another account. With it the session ends.
alter table sessions add column opened_by bigint;

-- The person who asked for it, if it is not the user: the parent of a sub-account, or a guest.
alter table withdrawal_requests add column actor_id bigint references users (id);
create index withdrawal_requests_of_actor on withdrawal_requests (actor_id)
  where actor_id is not null;

-- A parent is a person, and a sub-account has no sub-accounts.
create function check_parent() returns trigger language plpgsql as $$
begin
  if not exists (select from users where id = new.parent_id and kind = 'person') then
    raise exception 'user % cannot have sub-accounts', new.parent_id
      using errcode = 'check_violation', constraint = 'parent_is_a_person';
  end if;
  return null;
end
$$;
create trigger sub_account_has_a_parent after insert or update of parent_id, kind on users
  for each row when (new.parent_id is not null) execute function check_parent();

-- ---- Settings of users in the engine ----------------------------------------------------------

-- What the engine must know of a user. The dispatcher sends a row whose version it has not sent;
-- sending it twice changes nothing. The engine treats a user without a row as tier 1, without
-- discount and group.
create table engine_user_settings (
  user_id bigint primary key references users (id),
  -- Users of one group never trade with each other; 0 for none.
  group_id bigint not null default 0 check (group_id >= 0),
  is_house boolean not null default false,
  -- The user's verification level, kept by the trigger below. The engine has 64 tiers.
  tier bigint not null check (tier between 0 and 63),
  discount_ppm bigint not null default 0 check (discount_ppm between 0 and 1000000),
  version bigint not null default 1,
  sent_version bigint not null default 0 check (sent_version <= version)
);

create index engine_user_settings_to_send on engine_user_settings (user_id)
  where sent_version < version;

insert into engine_user_settings (user_id, tier)
select id, verification_level from users where verification_level <> 1;

-- Level, fee tier and the level of sub-accounts must never differ, also after a change by SQL.
create function follow_verification_level() returns trigger language plpgsql as $$
begin
  if new.parent_id is null then
    insert into engine_user_settings as s (user_id, tier) values (new.id, new.verification_level)
    on conflict (user_id) do update set tier = excluded.tier, version = s.version + 1;
  else
    -- The engine does not know a sub-account before its first money; it gets its tier then.
    update engine_user_settings set tier = new.verification_level, version = version + 1
    where user_id = new.id;
  end if;
  update users set verification_level = new.verification_level where parent_id = new.id;
  return null;
end
$$;
create trigger user_begins_above_level_one after insert on users
  for each row when (new.verification_level <> 1)
  execute function follow_verification_level();
create trigger verification_level_changes after update of verification_level on users
  for each row when (old.verification_level <> new.verification_level)
  execute function follow_verification_level();

-- ---- Referral ---------------------------------------------------------------------------------

-- Percentages of fees. The rate stays below 100, so that nobody gets back all fees they paid.
create table referral_codes (
  code text primary key check (code ~ '^[A-Za-z0-9]{6}$'),
  user_id bigint not null references users (id),
  discount bigint not null check (discount between 0 and 100 and discount % 10 = 0),
  earning_rate bigint not null check (earning_rate between 0 and 90 and earning_rate % 10 = 0),
  uses bigint not null default 0,
  created_at timestamptz not null default now(),
  check (discount + earning_rate between 10 and 100)
);

-- Capital and small letters are the same code.
create unique index referral_codes_by_text on referral_codes (upper(code));
create index referral_codes_of_user on referral_codes (user_id, code);

-- Who was referred by whom, for ever. The rate is that of the code on that day.
create table affiliations (
  user_id bigint primary key references users (id),
  referrer_id bigint not null references users (id),
  code text not null references referral_codes (code),
  earning_rate bigint not null check (earning_rate between 0 and 90),
  discount bigint not null check (discount between 0 and 100),
  -- Fees of trades after the start and before the end count; null is no end.
  starts_at timestamptz not null,
  ends_at timestamptz,
  created_at timestamptz not null default now(),
  check (user_id <> referrer_id)
);

create index affiliations_of_referrer on affiliations (referrer_id, created_at, user_id);

-- The end of the last batch. An affiliation locks it in share mode and starts no earlier, so that
-- every batch that covers a trade of the affiliation sees the affiliation.
create table referral_progress (
  is_only boolean primary key default true check (is_only),
  frame bigint not null,
  time timestamptz not null
);

-- The frames after from_frame up to to_frame. Each range starts where another one ends.
create table referral_batches (
  id bigint generated always as identity primary key,
  from_frame bigint not null unique,
  to_frame bigint not null unique check (to_frame > from_frame),
  from_time timestamptz not null,
  to_time timestamptz not null check (to_time >= from_time),
  -- open: to be counted. counted: its accruals exist. skipped: referral was off.
  state text not null check (state in ('open', 'counted', 'skipped')),
  -- The currency of the shares; null if skipped.
  asset_id bigint,
  currency text,
  scale bigint,
  -- In that currency, by symbol, as texts. A fee in a coin without a price earns nothing.
  prices jsonb check (jsonb_typeof(prices) = 'object'),
  created_at timestamptz not null default now(),
  check (num_nulls(asset_id, currency, scale, prices) = case state when 'skipped' then 4 else 0 end)
);

create index open_referral_batches on referral_batches (id) where state = 'open';

-- A share of fees in units of 10^-38 atoms: exact, whatever the price and the scale.
create table referral_accruals (
  -- The affiliation.
  user_id bigint not null references affiliations (user_id),
  batch_id bigint not null references referral_batches (id),
  referrer_id bigint not null references users (id),
  numerator numeric not null check (numerator > 0 and numerator = trunc(numerator)),
  primary key (user_id, batch_id)
);

create index referral_accruals_of_referrer on referral_accruals (referrer_id, batch_id, user_id);

-- The sum of the accruals of each referrer and currency.
create table referral_totals (
  referrer_id bigint not null references users (id),
  asset_id bigint not null,
  numerator numeric not null check (numerator > 0 and numerator = trunc(numerator)),
  primary key (referrer_id, asset_id)
);

-- A payout is one command of the outbox. If the engine refuses it, it does not count.
create table referral_payouts (
  id bigint generated always as identity primary key,
  referrer_id bigint not null references users (id),
  distributor_id bigint not null,
  asset_id bigint not null,
  currency text not null,
  scale bigint not null,
  amount_atoms bigint not null check (amount_atoms > 0),
  channel bigint not null,
  sequence bigint not null,
  created_at timestamptz not null default now(),
  foreign key (channel, sequence) references outbox (channel, sequence),
  unique (channel, sequence)
);

create index referral_payouts_of_referrer on referral_payouts (referrer_id, created_at, id);

-- ---- Statistics -------------------------------------------------------------------------------

-- A past day never changes: it is summed once from the ledger, when somebody first asks, and kept.
-- Days are in UTC.
create table closed_days (
  user_id bigint primary key references users (id),
  -- The last day whose sums are in the two tables below; null before the first.
  closed_to date
);

-- The total balance at the end of a day, for days on which it changed.
create table closing_balances (
  user_id bigint not null references users (id),
  asset_id bigint not null,
  day date not null,
  total_atoms bigint not null,
  -- The part of the day's change that is not trading: deposits, withdrawals, transfers.
  external_atoms bigint not null,
  primary key (user_id, asset_id, day)
);

create table traded_days (
  user_id bigint not null references users (id),
  day date not null,
  market_id bigint not null,
  side text not null check (side in ('buy', 'sell')),
  size_lots numeric not null,
  quote_atoms numeric not null,
  trades bigint not null,
  primary key (user_id, day, market_id, side)
);

-- ---- Announcements and support ----------------------------------------------------------------

create table announcements (
  id bigint generated always as identity primary key,
  title text not null check (length(title) between 1 and 200),
  -- HTML that was made safe when it was written.
  message text not null check (length(message) <= 20000),
  type text not null check (type ~ '^[a-z][a-z0-9_-]{0,31}$'),
  start_date timestamptz,
  end_date timestamptz,
  is_popup boolean not null,
  is_navbar boolean not null,
  is_dropdown boolean not null,
  author bigint references users (id),
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (start_date is null or end_date is null or start_date < end_date)
);

create index announcements_shown on announcements (created_at, id) where removed_at is null;
create index announcements_of_author on announcements (author) where author is not null;

create table support_messages (
  id bigint generated always as identity primary key,
  -- The account that has the address; the sender may be another person.
  user_id bigint references users (id) on delete set null,
  kek_id bigint not null,
  -- JSON with the address, the category, the subject and the text.
  sealed bytea not null,
  -- Names the message to its sender, and binds the sealed value.
  reference text not null unique,
  created_at timestamptz not null default now()
);

create index support_messages_by_time on support_messages (created_at);
create index support_messages_of_user on support_messages (user_id) where user_id is not null;
