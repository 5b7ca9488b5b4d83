-- Money on its way in and out: what was asked for, and the outbox from which it goes to the engine.

-- How many positions of each channel have been given out. Whoever takes the next one holds the row
-- until the end of the transaction, so that positions are committed in their order, without gaps.
create table channels (
  channel bigint primary key check (channel > 0),
  last_assigned bigint not null check (last_assigned >= 0)
);

create table withdrawal_requests (
  -- The engine knows the withdrawal by this number.
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('withdrawal', 'burn', 'transfer')),
  user_id bigint not null references users (id),
  asset_id bigint not null,
  currency text not null,
  scale bigint not null,
  amount_atoms bigint not null check (amount_atoms > 0),
  fee_asset_id bigint not null,
  fee_currency text not null,
  fee_scale bigint not null,
  fee_atoms bigint not null check (fee_atoms >= 0),
  address text not null,
  -- Null for an asset that has none.
  network text,
  -- A UUID until the chain's own id takes its place.
  transaction_id text not null,
  -- requested: not yet known to the engine. opened: the amount is held. completing, canceling: the
  -- engine has been asked. The others are ends.
  state text not null check (
    state in (
      'requested', 'opened', 'refused', 'completing', 'completed', 'canceling', 'canceled'
    )
  ),
  processing boolean not null default false,
  waiting boolean not null default false,
  rejected boolean not null default false,
  dismissed boolean not null default false,
  description text not null default '',
  -- Of the signed request: it counts once.
  signature_hash bytea unique,
  -- 0 when no key asked for it.
  key_id bigint not null default 0,
  -- What the verdict about limits and holds was made from; null for an operator's own.
  verdict_input jsonb,
  -- Of the engine.
  refusal text,
  -- The command that opened, burned or transferred.
  command bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index withdrawal_requests_of_user on withdrawal_requests (user_id, id);
create index withdrawal_requests_of_user_by_time on withdrawal_requests (user_id, created_at);
create index withdrawal_requests_by_time on withdrawal_requests (created_at, id);
create index withdrawal_requests_in_currency on withdrawal_requests (currency, id);
create index withdrawal_requests_by_transaction on withdrawal_requests (transaction_id);
create index withdrawal_requests_by_address on withdrawal_requests (address, id);
create index open_withdrawal_requests on withdrawal_requests (id) where state <> 'completed';
create index processing_withdrawal_requests on withdrawal_requests (id) where processing;
create index waiting_withdrawal_requests on withdrawal_requests (id) where waiting;
create index rejected_withdrawal_requests on withdrawal_requests (id) where rejected;
create index dismissed_withdrawal_requests on withdrawal_requests (id) where dismissed;

create table deposit_requests (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('deposit', 'mint', 'transfer')),
  user_id bigint not null references users (id),
  asset_id bigint not null,
  currency text not null,
  scale bigint not null,
  amount_atoms bigint not null check (amount_atoms > 0),
  fee_atoms bigint not null default 0 check (fee_atoms >= 0),
  address text not null,
  network text,
  transaction_id text not null,
  -- pending: nothing has been asked of the engine, and no balance has changed.
  state text not null check (
    state in ('pending', 'requested', 'completed', 'refused', 'canceled')
  ),
  processing boolean not null default false,
  waiting boolean not null default false,
  rejected boolean not null default false,
  dismissed boolean not null default false,
  description text not null default '',
  refusal text,
  command bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- What has arrived is credited once, whoever says it again.
create unique index deposit_requests_by_cause
  on deposit_requests (transaction_id, currency, coalesce(network, ''), address)
  where state not in ('refused', 'canceled');
create index deposit_requests_of_user on deposit_requests (user_id, id);
create index deposit_requests_of_user_by_time on deposit_requests (user_id, created_at);
create index deposit_requests_by_time on deposit_requests (created_at, id);
create index deposit_requests_in_currency on deposit_requests (currency, id);
create index deposit_requests_by_transaction on deposit_requests (transaction_id);
create index deposit_requests_by_address on deposit_requests (address, id);
create index open_deposit_requests on deposit_requests (id) where state <> 'completed';
create index processing_deposit_requests on deposit_requests (id) where processing;
create index waiting_deposit_requests on deposit_requests (id) where waiting;
create index rejected_deposit_requests on deposit_requests (id) where rejected;
create index dismissed_deposit_requests on deposit_requests (id) where dismissed;

create table outbox (
  channel bigint not null references channels (channel),
  sequence bigint not null check (sequence > 0),
  -- Kind and fields; an amount is a text. It never changes: a position is one command for ever.
  command jsonb not null,
  withdrawal_request bigint references withdrawal_requests (id),
  deposit_request bigint references deposit_requests (id),
  created_at timestamptz not null default now(),
  -- Committed before it is first sent: where the log ended at least. It stands only behind that.
  sent_after_frame bigint,
  state text not null default 'waiting' check (state in ('waiting', 'accepted', 'refused')),
  refusal text,
  -- The outcome stands at this frame, though it may have been made by an earlier one.
  frame bigint,
  command_number bigint,
  settled_at timestamptz,
  primary key (channel, sequence),
  check ((state = 'waiting') = (settled_at is null)),
  check ((state = 'waiting') = (frame is null)),
  check ((state = 'refused') = (refusal is not null))
);

create index waiting_outbox on outbox (channel, sequence) where state = 'waiting';
create index outbox_of_withdrawal_request on outbox (withdrawal_request)
  where withdrawal_request is not null;
create index outbox_of_deposit_request on outbox (deposit_request)
  where deposit_request is not null;
