-- Custody, watch-only: final blocks, deposit addresses derived from the operator's own key,
-- incoming deposits, and the coins on those addresses.

-- The watcher's cursor in each network: the last final block that is recorded.
create table custody_networks (
  network text primary key,
  family text not null check (family in ('evm')),
  from_height bigint not null check (from_height >= 0),
  height bigint not null,
  -- Empty before the first block.
  hash bytea not null,
  -- The newest block, not final yet.
  tip_height bigint not null,
  -- Deposits up to this request existed before custody opened.
  opened_after_deposit bigint not null,
  opened_at timestamptz not null default now(),
  halted_reason text,
  halted_at timestamptz,
  updated_at timestamptz not null default now(),
  check (height >= from_height - 1),
  check ((halted_reason is null) = (halted_at is null))
);

-- The last blocks, and all blocks with a deposit.
create table custody_blocks (
  network text not null references custody_networks,
  height bigint not null,
  hash bytea not null,
  parent bytea not null,
  has_money boolean not null,
  primary key (network, height)
);
create index custody_blocks_empty on custody_blocks (network, height) where not has_money;

-- An address belongs to its user by derivation; the row only finds it.
create table custody_addresses (
  family text not null check (family in ('evm')),
  address bytea not null,
  user_id bigint not null references users,
  created_at timestamptz not null default now(),
  primary key (family, address)
);
create unique index custody_addresses_of_user on custody_addresses (user_id, family);

create table custody_deposits (
  id bigint generated always as identity primary key,
  network text not null references custody_networks,
  asset_id bigint not null,
  cause text not null,
  txid text not null,
  output text not null,
  address bytea not null,
  -- Null if the address has no user who can be credited.
  user_id bigint references users,
  units numeric not null check (units > 0),
  atoms numeric not null check (atoms >= 0),
  dust_units numeric not null check (dust_units >= 0),
  height bigint not null,
  block_hash bytea not null,
  -- pending and dropped deposits are not final. held: final, but deposits are stopped.
  state text not null check (state in
    ('pending', 'dropped', 'held', 'small', 'in_review', 'credited', 'unattributed', 'settled')),
  -- Why it is unattributed or in review.
  reason text,
  deposit_request bigint references deposit_requests,
  finalized_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (network, asset_id, cause),
  check (state not in ('in_review', 'credited') or deposit_request is not null),
  check ((state in ('pending', 'dropped')) = (finalized_at is null))
);
create index custody_deposits_unfinal on custody_deposits (network) where state = 'pending';
create index custody_deposits_queued on custody_deposits (state, id)
  where state in ('held', 'small', 'in_review', 'unattributed');
create index custody_deposits_small on custody_deposits (user_id, asset_id) where state = 'small';
create index custody_deposits_of_request on custody_deposits (deposit_request)
  where deposit_request is not null;
create index custody_deposits_by_transaction on custody_deposits (txid);
create index custody_deposits_by_address on custody_deposits (address);
create index custody_deposits_credited on custody_deposits (asset_id, finalized_at)
  where state = 'credited';

-- Units of each coin on each deposit address, at its last change.
create table custody_coins (
  network text not null references custody_networks,
  asset_id bigint not null,
  address bytea not null,
  units numeric not null check (units >= 0),
  height bigint not null,
  primary key (network, asset_id, address)
);

-- Coins that left deposit addresses, with the network fees that the addresses paid.
create table custody_spends (
  id bigint generated always as identity primary key,
  network text not null references custody_networks,
  asset_id bigint not null,
  address bytea not null,
  units numeric not null check (units > 0),
  height bigint not null,
  block_hash bytea not null,
  created_at timestamptz not null default now(),
  unique (network, asset_id, address, height)
);
