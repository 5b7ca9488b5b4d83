-- Proofs of liabilities: publications, and what the proofs of users are made from.

-- Signs publications. Sealed: access to the tables is not enough to sign.
create table liability_keys (
  id bigint primary key check (id = 1),
  kek_id bigint not null,
  sealed bytea not null,
  created_at timestamptz not null default now()
);

-- The document is the exact text that was signed. The sealed seed makes salts, cuts and places.
create table liability_publications (
  frame bigint primary key check (frame > 0),
  document text not null,
  signature text not null,
  public_key text not null,
  hash text not null unique,
  kek_id bigint not null,
  sealed_seed bytea not null,
  created_at timestamptz not null default now()
);

-- Up to 1,024 nodes of 40 bytes; tier 0 has the leaves. Only of the newest publications.
create table liability_blocks (
  frame bigint not null references liability_publications deferrable initially deferred,
  asset text not null,
  tier smallint not null,
  block bigint not null,
  nodes bytea not null,
  primary key (frame, asset, tier, block)
);
alter table liability_blocks alter column nodes set storage external;

-- Up to 1,024 accounts by user: amount, places and digest of the word.
create table liability_records (
  frame bigint not null references liability_publications deferrable initially deferred,
  asset text not null,
  first_user bigint not null,
  records bytea not null,
  primary key (frame, asset, first_user)
);
alter table liability_records alter column records set storage external;
