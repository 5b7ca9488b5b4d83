create table address_book (
  id bigint not null,
  user_id bigint not null,
  label text not null,
  address text not null,
  tag text not null default ''::text,
  network text not null,
  currency text not null,
  created_at timestamp with time zone not null default now(),
  active_at timestamp with time zone not null,
  removed_at timestamp with time zone,
  constraint address_book_pkey PRIMARY KEY (id),
  constraint address_book_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint address_book_user_id_label_excl EXCLUDE USING btree (user_id WITH =, label WITH =)
    WHERE (removed_at IS NULL) DEFERRABLE INITIALLY DEFERRED
);
CREATE UNIQUE INDEX address_book_by_address ON address_book USING btree (user_id,
    currency, network, address, tag) WHERE (removed_at IS NULL);
CREATE INDEX address_book_by_text ON address_book USING btree (address, id);
CREATE INDEX address_book_of_user ON address_book USING btree (user_id, id);
CREATE INDEX address_book_removed ON address_book USING btree (removed_at) WHERE
    (removed_at IS NOT NULL);
CREATE INDEX address_book_user_id_label_excl ON address_book USING btree (user_id,
    label) WHERE (removed_at IS NULL);

create table affiliations (
  user_id bigint not null,
  referrer_id bigint not null,
  code text not null,
  earning_rate bigint not null,
  discount bigint not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint affiliations_check CHECK (user_id <> referrer_id),
  constraint affiliations_code_fkey FOREIGN KEY (code) REFERENCES referral_codes(code),
  constraint affiliations_discount_check CHECK (discount >= 0 AND discount <= 100),
  constraint affiliations_earning_rate_check CHECK (earning_rate >= 0 AND earning_rate <= 90),
  constraint affiliations_pkey PRIMARY KEY (user_id),
  constraint affiliations_referrer_id_fkey FOREIGN KEY (referrer_id) REFERENCES users(id),
  constraint affiliations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX affiliations_of_referrer ON affiliations USING btree (referrer_id,
    created_at, user_id);

create table alarms (
  id bigint not null,
  name text not null,
  object text not null,
  severity text not null,
  detail text not null,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  constraint alarms_pkey PRIMARY KEY (id),
  constraint alarms_severity_check CHECK (severity = ANY (ARRAY['page'::text, 'ticket'::text]))
);
CREATE INDEX alarms_by_time ON alarms USING btree (opened_at);
CREATE UNIQUE INDEX open_alarms ON alarms USING btree (name, object) WHERE (closed_at
    IS NULL);

create table announcements (
  id bigint not null,
  title text not null,
  message text not null,
  type text not null,
  start_date timestamp with time zone,
  end_date timestamp with time zone,
  is_popup boolean not null,
  is_navbar boolean not null,
  is_dropdown boolean not null,
  author bigint,
  removed_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint announcements_author_fkey FOREIGN KEY (author) REFERENCES users(id),
  constraint announcements_check CHECK (start_date IS NULL OR end_date IS NULL OR start_date <
    end_date),
  constraint announcements_message_check CHECK (length(message) <= 20000),
  constraint announcements_pkey PRIMARY KEY (id),
  constraint announcements_title_check CHECK (length(title) >= 1 AND length(title) <= 200),
  constraint announcements_type_check CHECK (type ~ '^[a-z][a-z0-9_-]{0,31}$'::text)
);
CREATE INDEX announcements_of_author ON announcements USING btree (author) WHERE
    (author IS NOT NULL);
CREATE INDEX announcements_shown ON announcements USING btree (created_at, id) WHERE
    (removed_at IS NULL);

create table api_keys (
  id bigint not null,
  user_id bigint not null,
  name text not null,
  public_key text not null,
  kind text not null,
  verifying_key text,
  can_read boolean not null default true,
  can_trade boolean not null default false,
  can_withdraw boolean not null default false,
  role text not null default 'user'::text,
  whitelisted_ips text[] not null default '{}'::text[],
  whitelisting_enabled boolean not null default false,
  active boolean not null default true,
  revoked boolean not null default false,
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  kek_id bigint not null,
  sealed bytea not null,
  withdraw_granted_at timestamp with time zone,
  book_only boolean not null default false,
  suspended_reason text,
  constraint api_keys_check CHECK ((verifying_key IS NOT NULL) = (kind = 'ed25519'::text)),
  constraint api_keys_kind_check CHECK (kind = ANY (ARRAY['hmac'::text, 'ed25519'::text])),
  constraint api_keys_name_check CHECK (length(name) >= 1 AND length(name) <= 64),
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_public_key_check CHECK (public_key ~ '^[0-9a-f]{40}$'::text),
  constraint api_keys_public_key_key UNIQUE (public_key),
  constraint api_keys_role_check CHECK (role = ANY (ARRAY['user'::text, 'admin'::text])),
  constraint api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX api_keys_of_user ON api_keys USING btree (user_id, id);
CREATE UNIQUE INDEX api_keys_public_key_key ON api_keys USING btree (public_key);

create table approval_keys (
  request_id bigint not null,
  kek_id bigint not null,
  sealed bytea not null,
  constraint approval_keys_pkey PRIMARY KEY (request_id),
  constraint approval_keys_request_id_fkey FOREIGN KEY (request_id) REFERENCES
    approval_requests(id)
);

create table approval_requests (
  id bigint not null,
  act text not null,
  vote_power text not null,
  payload jsonb not null,
  payload_hash bytea not null,
  shown jsonb not null,
  object text not null,
  object_version text not null,
  value numeric,
  retype text,
  requester_id bigint not null,
  requester_role text not null,
  requester_credential text not null,
  requester_address text not null,
  beneficiaries bigint[] not null,
  needed bigint not null,
  state text not null default 'pending'::text,
  reason text,
  result jsonb,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  sealed bytea,
  subjects bigint[] not null default '{}'::bigint[],
  requester_call text not null default ''::text,
  constraint approval_requests_check CHECK ((state = 'pending'::text) = (ended_at IS NULL)),
  constraint approval_requests_needed_check CHECK (needed >= 0 AND needed <= 2),
  constraint approval_requests_payload_hash_check CHECK (length(payload_hash) = 32),
  constraint approval_requests_pkey PRIMARY KEY (id),
  constraint approval_requests_requester_id_fkey FOREIGN KEY (requester_id) REFERENCES users(id),
  constraint approval_requests_state_check CHECK (state = ANY (ARRAY['pending'::text,
    'executed'::text, 'failed'::text, 'rejected'::text, 'expired'::text, 'withdrawn'::text,
    'stale'::text]))
);
CREATE INDEX approval_requests_by_state ON approval_requests USING btree (state, id);
CREATE INDEX approval_requests_of_requester ON approval_requests USING btree
    (requester_id, id);
CREATE INDEX approval_requests_of_subject ON approval_requests USING gin (subjects)
    WHERE (sealed IS NOT NULL);
CREATE INDEX pending_approval_requests ON approval_requests USING btree (expires_at)
    WHERE (state = 'pending'::text);

create table approval_votes (
  request_id bigint not null,
  approver_id bigint not null,
  vote text not null,
  payload_hash bytea not null,
  factor text not null,
  session_id bigint not null,
  created_at timestamp with time zone not null,
  constraint approval_votes_approver_id_fkey FOREIGN KEY (approver_id) REFERENCES users(id),
  constraint approval_votes_pkey PRIMARY KEY (request_id, approver_id),
  constraint approval_votes_request_id_fkey FOREIGN KEY (request_id) REFERENCES
    approval_requests(id),
  constraint approval_votes_vote_check CHECK (vote = ANY (ARRAY['approve'::text, 'reject'::text]))
);
CREATE INDEX approval_votes_of_approver ON approval_votes USING btree (approver_id);

create table audit_checkpoints (
  seq bigint not null,
  note text not null,
  constraint audit_checkpoints_pkey PRIMARY KEY (seq),
  constraint audit_checkpoints_seq_check CHECK (seq > 0)
);

create table audit_entries (
  seq bigint not null,
  at timestamp with time zone not null,
  actor_id bigint,
  credential text not null,
  address text not null,
  act text not null,
  object text not null,
  subject_id bigint,
  before jsonb,
  after jsonb,
  sealed bytea,
  approval_id bigint,
  prev bytea not null,
  hash bytea not null,
  mac bytea not null,
  written_in xid8 default pg_current_xact_id(),
  commands jsonb,
  constraint audit_entries_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id),
  constraint audit_entries_hash_check CHECK (length(hash) = 32),
  constraint audit_entries_mac_check CHECK (length(mac) = 32),
  constraint audit_entries_pkey PRIMARY KEY (seq),
  constraint audit_entries_prev_check CHECK (length(prev) = 32),
  constraint audit_entries_seq_check CHECK (seq > 0),
  constraint audit_entries_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES users(id)
);
CREATE INDEX audit_entries_by_time ON audit_entries USING btree (at, seq);
CREATE INDEX audit_entries_of_act ON audit_entries USING btree (act, seq);
CREATE INDEX audit_entries_of_actor ON audit_entries USING btree (actor_id, seq);
CREATE INDEX audit_entries_of_object ON audit_entries USING btree (object, seq);
CREATE INDEX audit_entries_of_subject ON audit_entries USING btree (subject_id, seq)
    WHERE (subject_id IS NOT NULL);
CREATE INDEX audit_entries_of_subject_by_time ON audit_entries USING btree (subject_id,
    at, seq) WHERE (subject_id IS NOT NULL);
CREATE INDEX audit_entries_of_transaction ON audit_entries USING btree (written_in);

create table audit_head (
  is_only boolean not null default true,
  seq bigint not null,
  hash bytea not null,
  anchored_seq bigint not null default 0,
  constraint audit_head_is_only_check CHECK (is_only),
  constraint audit_head_pkey PRIMARY KEY (is_only)
);

create table audit_keys (
  id bigint not null,
  kek_id bigint not null,
  sealed bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint audit_keys_id_check CHECK (id = 1),
  constraint audit_keys_pkey PRIMARY KEY (id)
);

create table backups (
  id bigint not null,
  kind text not null,
  ended_at timestamp with time zone not null,
  verified boolean not null,
  bytes bigint not null,
  place text not null,
  reported_by bigint not null,
  reported_at timestamp with time zone not null,
  constraint backups_bytes_check CHECK (bytes >= 0),
  constraint backups_kind_check CHECK (kind = ANY (ARRAY['database'::text, 'log'::text])),
  constraint backups_pkey PRIMARY KEY (id),
  constraint backups_reported_by_fkey FOREIGN KEY (reported_by) REFERENCES users(id)
);
CREATE UNIQUE INDEX backups_by_time ON backups USING btree (kind, ended_at);
CREATE INDEX backups_of_operator ON backups USING btree (reported_by);

create table bank_accounts (
  id text not null,
  user_id bigint not null,
  status text not null,
  sealed bytea not null,
  decided_by bigint,
  decided_at timestamp with time zone,
  message text not null default ''::text,
  removed_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  entered_by bigint,
  constraint bank_accounts_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id),
  constraint bank_accounts_entered_by_fkey FOREIGN KEY (entered_by) REFERENCES users(id),
  constraint bank_accounts_id_check CHECK (id ~ '^[0-9a-f]{16}$'::text),
  constraint bank_accounts_pkey PRIMARY KEY (id),
  constraint bank_accounts_status_check CHECK (status = ANY (ARRAY['empty'::text, 'pending'::text,
    'rejected'::text, 'verified'::text])),
  constraint bank_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX bank_accounts_by_decider ON bank_accounts USING btree (decided_by) WHERE
    (decided_by IS NOT NULL);
CREATE INDEX bank_accounts_by_enterer ON bank_accounts USING btree (entered_by) WHERE
    (entered_by IS NOT NULL);
CREATE INDEX bank_accounts_by_status ON bank_accounts USING btree (status, user_id)
    WHERE (removed_at IS NULL);
CREATE INDEX bank_accounts_of_user ON bank_accounts USING btree (user_id, created_at,
    id) WHERE (removed_at IS NULL);
CREATE INDEX bank_accounts_to_review ON bank_accounts USING btree (created_at, id)
    WHERE ((status = 'pending'::text) AND (removed_at IS NULL));

create table channels (
  channel bigint not null,
  last_assigned bigint not null,
  constraint channels_channel_check CHECK (channel > 0),
  constraint channels_last_assigned_check CHECK (last_assigned >= 0),
  constraint channels_pkey PRIMARY KEY (channel)
);

create table closed_days (
  user_id bigint not null,
  closed_to date,
  constraint closed_days_pkey PRIMARY KEY (user_id),
  constraint closed_days_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table closing_balances (
  user_id bigint not null,
  asset_id bigint not null,
  day date not null,
  total_atoms bigint not null,
  external_atoms bigint not null,
  constraint closing_balances_pkey PRIMARY KEY (user_id, asset_id, day),
  constraint closing_balances_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table codes (
  user_id bigint not null,
  purpose text not null,
  form text not null,
  code_mac bytea not null,
  flow_hash bytea,
  network text not null default ''::text,
  session_id bigint,
  kek_id bigint,
  sealed_payload bytea,
  tries bigint not null default 0,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint codes_check CHECK ((kek_id IS NULL) = (sealed_payload IS NULL)),
  constraint codes_code_mac_check CHECK (length(code_mac) = 32),
  constraint codes_flow_hash_check CHECK (length(flow_hash) = 32),
  constraint codes_form_check CHECK (form = ANY (ARRAY['v2'::text, 'v3'::text, 'v4'::text,
    'v5'::text])),
  constraint codes_pkey PRIMARY KEY (user_id, purpose),
  constraint codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX codes_by_expiry ON codes USING btree (expires_at);
CREATE INDEX codes_by_flow ON codes USING btree (flow_hash, purpose) WHERE (flow_hash
    IS NOT NULL);
CREATE INDEX codes_by_mac ON codes USING btree (code_mac);
CREATE INDEX codes_by_network ON codes USING btree (network, purpose, created_at);

create table coins (
  symbol text not null,
  fullname text not null,
  type text not null default 'blockchain'::text,
  verified boolean not null default true,
  is_public boolean not null default true,
  active boolean not null default true,
  allow_deposit boolean not null default false,
  allow_withdrawal boolean not null default false,
  withdrawal_fee numeric not null default 0,
  withdrawal_fees jsonb,
  min numeric,
  max numeric,
  increment_unit numeric,
  estimated_price numeric,
  description text,
  network text,
  standard text,
  issuer text,
  logo text,
  meta jsonb not null default '{}'::jsonb,
  created_by bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint coins_estimated_price_check CHECK (estimated_price >= 0::numeric AND estimated_price
    < 'Infinity'::numeric),
  constraint coins_fullname_check CHECK (length(fullname) >= 1 AND length(fullname) <= 100),
  constraint coins_increment_unit_check CHECK (increment_unit > 0::numeric AND increment_unit <
    'Infinity'::numeric),
  constraint coins_max_check CHECK (max >= 0::numeric AND max < 'Infinity'::numeric),
  constraint coins_meta_check CHECK (jsonb_typeof(meta) = 'object'::text),
  constraint coins_min_check CHECK (min >= 0::numeric AND min < 'Infinity'::numeric),
  constraint coins_pkey PRIMARY KEY (symbol),
  constraint coins_symbol_check CHECK (symbol ~ '^[a-z0-9]{1,15}$'::text),
  constraint coins_type_check CHECK (type = ANY (ARRAY['blockchain'::text, 'fiat'::text,
    'other'::text])),
  constraint coins_withdrawal_fee_check CHECK (withdrawal_fee >= 0::numeric AND withdrawal_fee <
    'Infinity'::numeric),
  constraint coins_withdrawal_fees_check CHECK (jsonb_typeof(withdrawal_fees) = 'object'::text)
);

create table custody_addresses (
  family text not null,
  address bytea not null,
  user_id bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint custody_addresses_family_check CHECK (family = 'evm'::text),
  constraint custody_addresses_pkey PRIMARY KEY (family, address),
  constraint custody_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE UNIQUE INDEX custody_addresses_of_user ON custody_addresses USING btree
    (user_id, family);

create table custody_blocks (
  network text not null,
  height bigint not null,
  hash bytea not null,
  parent bytea not null,
  has_money boolean not null,
  constraint custody_blocks_network_fkey FOREIGN KEY (network) REFERENCES
    custody_networks(network),
  constraint custody_blocks_pkey PRIMARY KEY (network, height)
);
CREATE INDEX custody_blocks_empty ON custody_blocks USING btree (network, height) WHERE
    (NOT has_money);

create table custody_coins (
  network text not null,
  asset_id bigint not null,
  address bytea not null,
  units numeric not null,
  height bigint not null,
  constraint custody_coins_network_fkey FOREIGN KEY (network) REFERENCES custody_networks(network),
  constraint custody_coins_pkey PRIMARY KEY (network, asset_id, address),
  constraint custody_coins_units_check CHECK (units >= 0::numeric)
);

create table custody_credits (
  channel bigint not null,
  sequence bigint not null,
  network text not null,
  asset_id bigint not null,
  atoms numeric not null,
  at timestamp with time zone not null default now(),
  constraint custody_credits_atoms_check CHECK (atoms > 0::numeric),
  constraint custody_credits_pkey PRIMARY KEY (channel, sequence)
);
CREATE INDEX custody_credits_by_time ON custody_credits USING btree (at);
CREATE INDEX custody_credits_recent ON custody_credits USING btree (network, asset_id,
    at);

create table custody_deposits (
  id bigint not null,
  network text not null,
  asset_id bigint not null,
  cause text not null,
  txid text not null,
  output text not null,
  address bytea not null,
  user_id bigint,
  units numeric not null,
  atoms numeric not null,
  dust_units numeric not null,
  height bigint not null,
  block_hash bytea not null,
  state text not null,
  reason text,
  deposit_request bigint,
  finalized_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint custody_deposits_atoms_check CHECK (atoms >= 0::numeric),
  constraint custody_deposits_check CHECK ((state <> ALL (ARRAY['in_review'::text,
    'credited'::text])) OR deposit_request IS NOT NULL),
  constraint custody_deposits_check1 CHECK ((state = ANY (ARRAY['pending'::text,
    'dropped'::text])) = (finalized_at IS NULL)),
  constraint custody_deposits_deposit_request_fkey FOREIGN KEY (deposit_request) REFERENCES
    deposit_requests(id),
  constraint custody_deposits_dust_units_check CHECK (dust_units >= 0::numeric),
  constraint custody_deposits_network_asset_id_cause_key UNIQUE (network, asset_id, cause),
  constraint custody_deposits_network_fkey FOREIGN KEY (network) REFERENCES
    custody_networks(network),
  constraint custody_deposits_pkey PRIMARY KEY (id),
  constraint custody_deposits_state_check CHECK (state = ANY (ARRAY['pending'::text,
    'dropped'::text, 'held'::text, 'small'::text, 'in_review'::text, 'credited'::text,
    'unattributed'::text, 'settled'::text])),
  constraint custody_deposits_units_check CHECK (units > 0::numeric),
  constraint custody_deposits_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX custody_deposits_by_address ON custody_deposits USING btree (address);
CREATE INDEX custody_deposits_by_transaction ON custody_deposits USING btree (txid);
CREATE INDEX custody_deposits_credited ON custody_deposits USING btree (asset_id,
    finalized_at) WHERE (state = 'credited'::text);
CREATE UNIQUE INDEX custody_deposits_network_asset_id_cause_key ON custody_deposits
    USING btree (network, asset_id, cause);
CREATE INDEX custody_deposits_of_request ON custody_deposits USING btree
    (deposit_request) WHERE (deposit_request IS NOT NULL);
CREATE INDEX custody_deposits_queued ON custody_deposits USING btree (state, id) WHERE
    (state = ANY (ARRAY['held'::text, 'small'::text, 'in_review'::text, 'unattributed'::text]));
CREATE INDEX custody_deposits_small ON custody_deposits USING btree (user_id, asset_id)
    WHERE (state = 'small'::text);
CREATE INDEX custody_deposits_unfinal ON custody_deposits USING btree (network) WHERE
    (state = 'pending'::text);

create table custody_networks (
  network text not null,
  family text not null,
  from_height bigint not null,
  height bigint not null,
  hash bytea not null,
  tip_height bigint not null,
  opened_after_deposit bigint not null,
  opened_at timestamp with time zone not null default now(),
  halted_reason text,
  halted_at timestamp with time zone,
  updated_at timestamp with time zone not null default now(),
  constraint custody_networks_check CHECK (height >= (from_height - 1)),
  constraint custody_networks_check1 CHECK ((halted_reason IS NULL) = (halted_at IS NULL)),
  constraint custody_networks_family_check CHECK (family = 'evm'::text),
  constraint custody_networks_from_height_check CHECK (from_height >= 0),
  constraint custody_networks_pkey PRIMARY KEY (network)
);

create table custody_spends (
  id bigint not null,
  network text not null,
  asset_id bigint not null,
  address bytea not null,
  units numeric not null,
  height bigint not null,
  block_hash bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint custody_spends_network_asset_id_address_height_key UNIQUE (network, asset_id,
    address, height),
  constraint custody_spends_network_fkey FOREIGN KEY (network) REFERENCES
    custody_networks(network),
  constraint custody_spends_pkey PRIMARY KEY (id),
  constraint custody_spends_units_check CHECK (units > 0::numeric)
);
CREATE UNIQUE INDEX custody_spends_network_asset_id_address_height_key ON
    custody_spends USING btree (network, asset_id, address, height);

create table data_lookups (
  id bigint not null,
  at timestamp with time zone not null,
  operator_id bigint not null,
  subject_id bigint,
  fields text[] not null default '{}'::text[],
  reason text not null,
  reveal_id bigint,
  counts boolean not null default true,
  constraint data_lookups_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES users(id),
  constraint data_lookups_pkey PRIMARY KEY (id),
  constraint data_lookups_reveal_id_fkey FOREIGN KEY (reveal_id) REFERENCES reveals(id),
  constraint data_lookups_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES users(id)
);
CREATE INDEX data_lookups_by_time ON data_lookups USING btree (at);
CREATE INDEX data_lookups_of_operator ON data_lookups USING btree (operator_id, at);
CREATE INDEX data_lookups_of_subject ON data_lookups USING btree (subject_id, at) WHERE
    (subject_id IS NOT NULL);

create table declared_holdings (
  asset text not null,
  amount numeric not null,
  note text not null,
  declared_by bigint not null,
  declared_at timestamp with time zone not null,
  constraint declared_holdings_amount_check CHECK (amount >= 0::numeric AND amount <
    'Infinity'::numeric),
  constraint declared_holdings_declared_by_fkey FOREIGN KEY (declared_by) REFERENCES users(id),
  constraint declared_holdings_pkey PRIMARY KEY (asset)
);
CREATE INDEX declared_holdings_of_operator ON declared_holdings USING btree
    (declared_by);

create table deposit_requests (
  id bigint not null,
  kind text not null,
  user_id bigint not null,
  asset_id bigint not null,
  currency text not null,
  scale bigint not null,
  amount_atoms bigint not null,
  fee_atoms bigint not null default 0,
  address text not null,
  network text,
  transaction_id text not null,
  state text not null,
  processing boolean not null default false,
  waiting boolean not null default false,
  description text not null default ''::text,
  refusal text,
  command bigint,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  onhold boolean not null default false,
  cause text,
  with_mail boolean,
  constraint deposit_requests_amount_atoms_check CHECK (amount_atoms > 0),
  constraint deposit_requests_fee_atoms_check CHECK (fee_atoms >= 0),
  constraint deposit_requests_kind_check CHECK (kind = ANY (ARRAY['deposit'::text, 'mint'::text,
    'transfer'::text])),
  constraint deposit_requests_pkey PRIMARY KEY (id),
  constraint deposit_requests_state_check CHECK (state = ANY (ARRAY['pending'::text,
    'in_review'::text, 'crediting'::text, 'completed'::text, 'refused'::text, 'canceled'::text,
    'dismissed'::text, 'rejected'::text, 'expired'::text])),
  constraint deposit_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX completed_deposit_requests_of_user ON deposit_requests USING btree
    (user_id, updated_at) WHERE (state = 'completed'::text);
CREATE INDEX deposit_requests_by_address ON deposit_requests USING btree (address, id);
CREATE UNIQUE INDEX deposit_requests_by_cause ON deposit_requests USING btree
    (asset_id, cause);
CREATE INDEX deposit_requests_by_description ON deposit_requests USING btree
    (description, id) WHERE (description <> ''::text);
CREATE INDEX deposit_requests_by_time ON deposit_requests USING btree (created_at, id);
CREATE INDEX deposit_requests_by_transaction ON deposit_requests USING btree
    (transaction_id);
CREATE INDEX deposit_requests_in_currency ON deposit_requests USING btree (currency,
    id);
CREATE INDEX deposit_requests_in_progress ON deposit_requests USING btree (currency)
    INCLUDE (user_id, amount_atoms, scale) WHERE ((kind = 'deposit'::text) AND (state = ANY
    (ARRAY['pending'::text, 'in_review'::text, 'crediting'::text])));
CREATE INDEX deposit_requests_of_cause ON deposit_requests USING btree (asset_id,
    regexp_replace(cause, '[^/]*$'::text, ''::text)) WHERE (cause IS NOT NULL);
CREATE INDEX deposit_requests_of_lost_cause ON deposit_requests USING btree (asset_id,
    cause) WHERE (cause ~~ '*/%'::text);
CREATE INDEX deposit_requests_of_user ON deposit_requests USING btree (user_id, id);
CREATE INDEX deposit_requests_of_user_by_time ON deposit_requests USING btree (user_id,
    created_at);
CREATE INDEX deposit_requests_to_review ON deposit_requests USING btree (id) WHERE
    (state = ANY (ARRAY['pending'::text, 'in_review'::text]));
CREATE INDEX dismissed_deposit_requests ON deposit_requests USING btree (id) WHERE
    (state = ANY (ARRAY['canceled'::text, 'dismissed'::text, 'expired'::text]));
CREATE INDEX open_deposit_requests ON deposit_requests USING btree (id) WHERE (state <>
    'completed'::text);
CREATE INDEX pending_deposit_requests_of_user ON deposit_requests USING btree (user_id,
    currency) WHERE (state = 'pending'::text);
CREATE INDEX processing_deposit_requests ON deposit_requests USING btree (id) WHERE
    processing;
CREATE INDEX rejected_deposit_requests ON deposit_requests USING btree (id) WHERE
    (state = ANY (ARRAY['refused'::text, 'rejected'::text]));
CREATE INDEX waiting_deposit_requests ON deposit_requests USING btree (id) WHERE
    (waiting OR (state = 'in_review'::text));

create table devices (
  id bigint not null,
  user_id bigint not null,
  token_hash bytea,
  network text not null,
  country text not null default ''::text,
  user_agent text not null default ''::text,
  first_seen_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone not null default now(),
  revoked_at timestamp with time zone,
  browser_hash bytea,
  constraint devices_browser_hash_check CHECK (length(browser_hash) = 32),
  constraint devices_pkey PRIMARY KEY (id),
  constraint devices_token_hash_check CHECK (length(token_hash) = 32),
  constraint devices_token_hash_key UNIQUE (token_hash),
  constraint devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX devices_by_browser ON devices USING btree (browser_hash) WHERE
    (browser_hash IS NOT NULL);
CREATE UNIQUE INDEX devices_by_network ON devices USING btree (user_id, network) WHERE
    ((token_hash IS NULL) AND (revoked_at IS NULL));
CREATE INDEX devices_of_user ON devices USING btree (user_id, id);
CREATE UNIQUE INDEX devices_token_hash_key ON devices USING btree (token_hash);

create table direct_trades (
  id bigint not null,
  operator_id bigint not null,
  maker_id bigint not null,
  taker_id bigint not null,
  symbol text not null,
  signature_hash bytea,
  created_at timestamp with time zone not null,
  constraint direct_trades_maker_id_fkey FOREIGN KEY (maker_id) REFERENCES users(id),
  constraint direct_trades_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES users(id),
  constraint direct_trades_pkey PRIMARY KEY (id),
  constraint direct_trades_signature_hash_key UNIQUE (signature_hash),
  constraint direct_trades_taker_id_fkey FOREIGN KEY (taker_id) REFERENCES users(id)
);
CREATE INDEX direct_trades_of_maker ON direct_trades USING btree (maker_id);
CREATE INDEX direct_trades_of_operator ON direct_trades USING btree (operator_id);
CREATE INDEX direct_trades_of_taker ON direct_trades USING btree (taker_id);
CREATE UNIQUE INDEX direct_trades_signature_hash_key ON direct_trades USING btree
    (signature_hash);

create table engine_commands (
  id bigint not null,
  kind text not null,
  schema_version bigint not null,
  record bytea not null,
  follows bigint,
  created_at timestamp with time zone not null default now(),
  attempted_at timestamp with time zone,
  state text not null default 'waiting'::text,
  refusal text,
  frame bigint,
  command_number bigint,
  listed bigint,
  settled_at timestamp with time zone,
  written_by text not null default (SESSION_USER)::text,
  written_in xid8 not null default pg_current_xact_id(),
  voided text,
  constraint engine_commands_check CHECK ((state = 'waiting'::text) = (settled_at IS NULL)),
  constraint engine_commands_check1 CHECK ((state = 'waiting'::text) = (frame IS NULL)),
  constraint engine_commands_check2 CHECK ((state = 'refused'::text) = (refusal IS NOT NULL)),
  constraint engine_commands_follows_fkey FOREIGN KEY (follows) REFERENCES engine_commands(id),
  constraint engine_commands_pkey PRIMARY KEY (id),
  constraint engine_commands_state_check CHECK (state = ANY (ARRAY['waiting'::text,
    'accepted'::text, 'refused'::text]))
);
CREATE INDEX accepted_engine_commands ON engine_commands USING btree (kind, frame)
    WHERE (state = 'accepted'::text);
CREATE INDEX voided_engine_commands ON engine_commands USING btree (created_at) WHERE
    (voided IS NOT NULL);
CREATE INDEX waiting_engine_commands ON engine_commands USING btree (id) WHERE (state =
    'waiting'::text);

create table engine_user_settings (
  user_id bigint not null,
  group_id bigint not null default 0,
  is_house boolean not null default false,
  tier bigint not null,
  discount_ppm bigint not null default 0,
  version bigint not null default 1,
  sent_version bigint not null default 0,
  constraint engine_user_settings_check CHECK (sent_version <= version),
  constraint engine_user_settings_discount_ppm_check CHECK (discount_ppm >= 0 AND discount_ppm <=
    1000000),
  constraint engine_user_settings_group_id_check CHECK (group_id >= 0),
  constraint engine_user_settings_pkey PRIMARY KEY (user_id),
  constraint engine_user_settings_tier_check CHECK (tier >= 0 AND tier <= 63),
  constraint engine_user_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX engine_user_settings_to_send ON engine_user_settings USING btree (user_id)
    WHERE (sent_version < version);
CREATE INDEX engine_users_in_group ON engine_user_settings USING btree (group_id) WHERE
    (group_id <> 0);

create table exchange_banner (
  id boolean not null default true,
  kind text not null,
  text text not null,
  set_by bigint not null,
  set_at timestamp with time zone not null,
  constraint exchange_banner_id_check CHECK (id),
  constraint exchange_banner_kind_check CHECK (kind = ANY (ARRAY['info'::text, 'warning'::text,
    'incident'::text])),
  constraint exchange_banner_pkey PRIMARY KEY (id),
  constraint exchange_banner_set_by_fkey FOREIGN KEY (set_by) REFERENCES users(id),
  constraint exchange_banner_text_check CHECK (length(text) >= 1 AND length(text) <= 500)
);
CREATE INDEX exchange_banner_of_operator ON exchange_banner USING btree (set_by);

create table exchange_control (
  is_only boolean not null default true,
  mode text not null default 'solo'::text,
  one_approval_from numeric not null default 1000,
  two_approvals_from numeric not null default 50000,
  votes_need_other_address boolean not null default false,
  updated_at timestamp with time zone not null default now(),
  currency text not null default 'usdt'::text,
  notify_from numeric not null default 10000,
  solo_from timestamp with time zone,
  chosen_at timestamp with time zone,
  constraint exchange_control_check CHECK (two_approvals_from >= one_approval_from AND
    two_approvals_from < 'Infinity'::numeric),
  constraint exchange_control_check1 CHECK (mode = 'team'::text OR solo_from IS NULL),
  constraint exchange_control_currency_check CHECK (currency ~ '^[a-z0-9]{1,15}$'::text),
  constraint exchange_control_is_only_check CHECK (is_only),
  constraint exchange_control_mode_check CHECK (mode = ANY (ARRAY['solo'::text, 'team'::text])),
  constraint exchange_control_notify_from_check CHECK (notify_from >= 0::numeric AND notify_from <
    'Infinity'::numeric),
  constraint exchange_control_one_approval_from_check CHECK (one_approval_from >= 0::numeric AND
    one_approval_from < 'Infinity'::numeric),
  constraint exchange_control_pkey PRIMARY KEY (is_only)
);

create table exports (
  id bigint not null,
  operator_id bigint not null,
  list text not null,
  format text not null,
  filters jsonb not null,
  state text not null default 'sending'::text,
  rows bigint,
  bytes bigint,
  sha256 bytea,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint exports_bytes_check CHECK (bytes >= 0),
  constraint exports_check CHECK ((state = 'sending'::text) = (ended_at IS NULL)),
  constraint exports_check1 CHECK (state <> 'complete'::text OR num_nulls(rows, bytes, sha256) =
    0),
  constraint exports_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES users(id),
  constraint exports_pkey PRIMARY KEY (id),
  constraint exports_rows_check CHECK (rows >= 0),
  constraint exports_sha256_check CHECK (length(sha256) = 32),
  constraint exports_state_check CHECK (state = ANY (ARRAY['sending'::text, 'complete'::text,
    'broken'::text]))
);
CREATE INDEX exports_by_hash ON exports USING btree (sha256) WHERE (sha256 IS NOT NULL);
CREATE INDEX exports_by_time ON exports USING btree (started_at, id);
CREATE INDEX exports_of_operator ON exports USING btree (operator_id, id);
CREATE INDEX exports_under_way ON exports USING btree (started_at) WHERE (state =
    'sending'::text);

create table fee_day_users (
  day date not null,
  market_id bigint not null,
  tier bigint not null,
  users bigint not null,
  own_users bigint not null,
  constraint fee_day_users_pkey PRIMARY KEY (day, market_id, tier)
);

create table fee_days (
  day date not null,
  market_id bigint not null,
  liquidity text not null,
  side text not null,
  is_direct boolean not null,
  tier bigint not null,
  discount_ppm bigint not null,
  fee_ppm bigint not null,
  fills bigint not null,
  received_atoms numeric not null,
  quote_atoms numeric not null,
  fee_atoms numeric not null,
  constraint fee_days_liquidity_check CHECK (liquidity = ANY (ARRAY['maker'::text,
    'taker'::text])),
  constraint fee_days_pkey PRIMARY KEY (day, market_id, liquidity, side, is_direct, tier,
    discount_ppm, fee_ppm),
  constraint fee_days_side_check CHECK (side = ANY (ARRAY['buy'::text, 'sell'::text]))
);

create table fee_days_closed (
  day date not null,
  constraint fee_days_closed_pkey PRIMARY KEY (day)
);

create table fee_users (
  market_id bigint not null,
  tier bigint not null,
  user_id bigint not null,
  last_day date not null,
  own_day date,
  constraint fee_users_pkey PRIMARY KEY (market_id, tier, user_id)
);

create table finding_evidence (
  finding_id bigint not null,
  key text not null,
  seen_at timestamp with time zone not null,
  score bigint not null,
  content jsonb not null,
  constraint finding_evidence_finding_id_fkey FOREIGN KEY (finding_id) REFERENCES findings(id) ON
    DELETE CASCADE,
  constraint finding_evidence_pkey PRIMARY KEY (finding_id, key)
);

create table findings (
  id bigint not null,
  rule text not null,
  user_id bigint not null,
  object text not null,
  score bigint not null default 0,
  evidence_count bigint not null default 0,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  state text not null default 'open'::text,
  result text,
  sealed_note bytea,
  taken_by bigint,
  taken_at timestamp with time zone,
  closed_at timestamp with time zone,
  constraint findings_check CHECK ((state = 'closed'::text) = (closed_at IS NOT NULL)),
  constraint findings_check1 CHECK ((state = 'closed'::text) = (result IS NOT NULL)),
  constraint findings_check2 CHECK (state <> 'taken'::text OR taken_by IS NOT NULL),
  constraint findings_pkey PRIMARY KEY (id),
  constraint findings_result_check CHECK (result = ANY (ARRAY['no_issue'::text, 'warned'::text,
    'frozen'::text, 'reported'::text])),
  constraint findings_state_check CHECK (state = ANY (ARRAY['open'::text, 'taken'::text,
    'closed'::text])),
  constraint findings_taken_by_fkey FOREIGN KEY (taken_by) REFERENCES users(id),
  constraint findings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX findings_by_closing ON findings USING btree (closed_at);
CREATE INDEX findings_by_score ON findings USING btree (state, score, id);
CREATE INDEX findings_by_time ON findings USING btree (state, first_seen_at, id);
CREATE INDEX findings_of_user ON findings USING btree (user_id, id);
CREATE INDEX findings_taken_by ON findings USING btree (taken_by);
CREATE UNIQUE INDEX findings_under_way ON findings USING btree (rule, user_id, object)
    WHERE (state <> 'closed'::text);

create table invitations (
  code_hash bytea not null,
  email text,
  created_by bigint,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  used_by bigint,
  constraint invitations_code_hash_check CHECK (length(code_hash) = 32),
  constraint invitations_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint invitations_pkey PRIMARY KEY (code_hash),
  constraint invitations_used_by_fkey FOREIGN KEY (used_by) REFERENCES users(id) ON DELETE SET
    NULL
);
CREATE INDEX invitations_by_creator ON invitations USING btree (created_by) WHERE
    (created_by IS NOT NULL);
CREATE INDEX invitations_used ON invitations USING btree (used_by) WHERE (used_by IS
    NOT NULL);

create table key_encryption_keys (
  kek_id bigint not null,
  fingerprint text not null,
  state text not null,
  created_at timestamp with time zone not null default now(),
  state_since timestamp with time zone not null default now(),
  constraint key_encryption_keys_kek_id_check CHECK (kek_id > 0),
  constraint key_encryption_keys_pkey PRIMARY KEY (kek_id),
  constraint key_encryption_keys_state_check CHECK (state = ANY (ARRAY['added'::text,
    'active'::text, 'retiring'::text, 'retired'::text]))
);
CREATE UNIQUE INDEX only_active_kek ON key_encryption_keys USING btree (state) WHERE
    (state = 'active'::text);

create table key_grants (
  key_id bigint not null,
  daily_limit numeric,
  may_read_personal boolean not null default false,
  granted_at timestamp with time zone not null default now(),
  granted_by bigint not null,
  constraint key_grants_daily_limit_check CHECK (daily_limit >= 0::numeric AND daily_limit <
    'Infinity'::numeric),
  constraint key_grants_granted_by_fkey FOREIGN KEY (granted_by) REFERENCES users(id),
  constraint key_grants_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(id),
  constraint key_grants_pkey PRIMARY KEY (key_id)
);
CREATE INDEX key_grants_of_operator ON key_grants USING btree (granted_by);

create table kit (
  is_only boolean not null default true,
  content jsonb not null,
  updated_at timestamp with time zone not null default now(),
  constraint kit_content_check CHECK (jsonb_typeof(content) = 'object'::text),
  constraint kit_is_only_check CHECK (is_only),
  constraint kit_pkey PRIMARY KEY (is_only)
);

create table ledger_accounts (
  owner bigint not null,
  asset_id bigint not null,
  available_atoms bigint not null,
  held_atoms bigint not null,
  entries bigint not null,
  constraint ledger_accounts_pkey PRIMARY KEY (owner, asset_id)
) with (fillfactor=70);

create table ledger_checkpoints (
  owner bigint not null,
  asset_id bigint not null,
  frame bigint not null,
  at timestamp with time zone not null,
  available_atoms bigint not null,
  held_atoms bigint not null,
  constraint ledger_checkpoints_pkey PRIMARY KEY (owner, asset_id, frame)
);

create table ledger_steps (
  frame bigint not null,
  at timestamp with time zone not null,
  constraint ledger_steps_pkey PRIMARY KEY (frame)
);

create table ledger_totals (
  asset_id bigint not null,
  frame bigint not null,
  users_available_atoms bigint not null,
  users_held_atoms bigint not null,
  fees_atoms bigint not null,
  external_atoms bigint not null,
  constraint ledger_totals_pkey PRIMARY KEY (asset_id, frame)
);

create table liability_blocks (
  frame bigint not null,
  asset text not null,
  tier smallint not null,
  block bigint not null,
  nodes bytea not null,
  constraint liability_blocks_frame_fkey FOREIGN KEY (frame) REFERENCES
    liability_publications(frame) DEFERRABLE INITIALLY DEFERRED,
  constraint liability_blocks_pkey PRIMARY KEY (frame, asset, tier, block)
);

create table liability_keys (
  id bigint not null,
  kek_id bigint not null,
  sealed bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint liability_keys_id_check CHECK (id = 1),
  constraint liability_keys_pkey PRIMARY KEY (id)
);

create table liability_publications (
  frame bigint not null,
  document text not null,
  signature text not null,
  public_key text not null,
  hash text not null,
  kek_id bigint not null,
  sealed_seed bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint liability_publications_frame_check CHECK (frame > 0),
  constraint liability_publications_hash_key UNIQUE (hash),
  constraint liability_publications_pkey PRIMARY KEY (frame)
);
CREATE UNIQUE INDEX liability_publications_hash_key ON liability_publications USING
    btree (hash);

create table liability_records (
  frame bigint not null,
  asset text not null,
  first_user bigint not null,
  records bytea not null,
  constraint liability_records_frame_fkey FOREIGN KEY (frame) REFERENCES
    liability_publications(frame) DEFERRABLE INITIALLY DEFERRED,
  constraint liability_records_pkey PRIMARY KEY (frame, asset, first_user)
);

create table log_ranges (
  from_frame bigint not null,
  to_frame bigint not null,
  from_time timestamp with time zone,
  to_time timestamp with time zone,
  entries bigint not null,
  entries_digest bytea not null,
  trades bigint not null,
  trades_digest bytea not null,
  is_from_log boolean not null,
  constraint log_ranges_check CHECK (to_frame >= from_frame),
  constraint log_ranges_entries_digest_check CHECK (length(entries_digest) = 32),
  constraint log_ranges_pkey PRIMARY KEY (from_frame),
  constraint log_ranges_trades_digest_check CHECK (length(trades_digest) = 32)
);
CREATE INDEX log_ranges_by_end ON log_ranges USING btree (to_frame);

create table log_record (
  is_only boolean not null default true,
  commands_after bigint not null,
  commands_to_frame bigint not null,
  ranges_to_frame bigint not null,
  constraint log_record_is_only_check CHECK (is_only),
  constraint log_record_pkey PRIMARY KEY (is_only)
);

create table logged_commands (
  channel bigint not null,
  sequence bigint not null,
  command_number bigint not null,
  frame bigint not null,
  refusal text,
  schema_version bigint not null,
  record bytea not null,
  constraint logged_commands_pkey PRIMARY KEY (channel, sequence)
);

create table login_throttles (
  scope text not null,
  subject_mac bytea not null,
  failures bigint not null default 0,
  window_start timestamp with time zone not null default now(),
  blocked_until timestamp with time zone,
  constraint login_throttles_pkey PRIMARY KEY (scope, subject_mac),
  constraint login_throttles_scope_check CHECK (scope = ANY (ARRAY['account'::text,
    'address'::text, 'device'::text, 'factor'::text])),
  constraint login_throttles_subject_mac_check CHECK (length(subject_mac) = 32)
);
CREATE INDEX login_throttles_by_age ON login_throttles USING btree (window_start);

create table logins (
  id bigint not null,
  created_at timestamp with time zone not null default now(),
  user_id bigint,
  email_mac bytea not null,
  outcome text not null,
  ip text not null,
  country text not null default ''::text,
  device_id bigint,
  user_agent text not null default ''::text,
  constraint logins_pkey PRIMARY KEY (id, created_at)
) partition by RANGE (created_at);
CREATE INDEX logins_by_address ON logins USING btree (ip, created_at, id);
CREATE INDEX logins_by_country ON logins USING btree (country, created_at, id);
CREATE INDEX logins_by_time ON logins USING btree (created_at, id);
CREATE INDEX logins_of_user ON logins USING btree (user_id, id);
CREATE INDEX logins_of_user_by_time ON logins USING btree (user_id, created_at,
    id) WHERE (user_id IS NOT NULL);

create table lost_commands (
  id bigint not null,
  found_at timestamp with time zone not null default now(),
  object text not null,
  sentence text not null,
  channel bigint,
  sequence bigint,
  reference text not null default ''::text,
  amount_atoms bigint,
  decision text,
  withdrawal_request bigint,
  user_id bigint,
  decided_at timestamp with time zone,
  decided_by text,
  note text,
  constraint lost_commands_channel_sequence_fkey FOREIGN KEY (channel, sequence) REFERENCES
    outbox(channel, sequence),
  constraint lost_commands_check CHECK (num_nulls(decided_at, decided_by, note) = ANY (ARRAY[0,
    3])),
  constraint lost_commands_object_sentence_key UNIQUE (object, sentence),
  constraint lost_commands_pkey PRIMARY KEY (id),
  constraint lost_commands_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint lost_commands_withdrawal_request_fkey FOREIGN KEY (withdrawal_request) REFERENCES
    withdrawal_requests(id)
);
CREATE UNIQUE INDEX lost_commands_object_sentence_key ON lost_commands USING btree
    (object, sentence);
CREATE INDEX lost_commands_of_user ON lost_commands USING btree (user_id) WHERE
    (user_id IS NOT NULL);
CREATE INDEX lost_transfers ON lost_commands USING btree (reference) WHERE (reference
    <> ''::text);
CREATE INDEX open_lost_commands ON lost_commands USING btree (id) WHERE ((decision IS
    NOT NULL) AND (decided_at IS NULL));

create table mail_outbox (
  id bigint not null,
  user_id bigint,
  kind text not null,
  language text not null,
  recipient_mac bytea not null,
  kek_id bigint,
  sealed bytea,
  dedupe_key text,
  message_id text not null,
  state text not null default 'waiting'::text,
  attempts bigint not null default 0,
  next_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  error text,
  created_at timestamp with time zone not null default now(),
  settled_at timestamp with time zone,
  requested_from bytea,
  constraint mail_outbox_check CHECK ((kek_id IS NULL) = (sealed IS NULL)),
  constraint mail_outbox_dedupe_key_key UNIQUE (dedupe_key),
  constraint mail_outbox_message_id_key UNIQUE (message_id),
  constraint mail_outbox_pkey PRIMARY KEY (id),
  constraint mail_outbox_recipient_mac_check CHECK (length(recipient_mac) = 32),
  constraint mail_outbox_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'sending'::text,
    'sent'::text, 'deferred'::text, 'failed'::text, 'suppressed'::text, 'expired'::text])),
  constraint mail_outbox_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX code_mails_to_send ON mail_outbox USING btree (next_at, id) WHERE ((state
    = ANY (ARRAY['waiting'::text, 'sending'::text, 'deferred'::text])) AND (expires_at IS NOT
    NULL));
CREATE UNIQUE INDEX mail_outbox_dedupe_key_key ON mail_outbox USING btree (dedupe_key);
CREATE UNIQUE INDEX mail_outbox_message_id_key ON mail_outbox USING btree (message_id);
CREATE INDEX mails_by_age ON mail_outbox USING btree (settled_at) WHERE (settled_at IS
    NOT NULL);
CREATE INDEX mails_by_recipient ON mail_outbox USING btree (recipient_mac, created_at);
CREATE INDEX mails_of_user ON mail_outbox USING btree (user_id, created_at, id) WHERE
    (user_id IS NOT NULL);
CREATE INDEX mails_to_send ON mail_outbox USING btree (next_at, id) WHERE (state = ANY
    (ARRAY['waiting'::text, 'sending'::text, 'deferred'::text]));

create table mail_texts (
  kind text not null,
  language text not null,
  subject text not null,
  paragraphs text[] not null,
  updated_at timestamp with time zone not null default now(),
  constraint mail_texts_paragraphs_check CHECK (cardinality(paragraphs) >= 1 AND
    cardinality(paragraphs) <= 20),
  constraint mail_texts_pkey PRIMARY KEY (kind, language),
  constraint mail_texts_subject_check CHECK (length(subject) >= 1 AND length(subject) <= 150)
);

create table manual_addresses (
  id bigint not null,
  currency text not null,
  network text not null,
  address text not null,
  has_memo boolean not null,
  assigned_to bigint,
  removed_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint manual_addresses_assigned_to_fkey FOREIGN KEY (assigned_to) REFERENCES users(id),
  constraint manual_addresses_check CHECK (NOT has_memo OR assigned_to IS NULL),
  constraint manual_addresses_pkey PRIMARY KEY (id)
);
CREATE INDEX manual_addresses_assigned ON manual_addresses USING btree (assigned_to)
    WHERE (assigned_to IS NOT NULL);
CREATE INDEX manual_addresses_free ON manual_addresses USING btree (currency, network,
    id) WHERE ((NOT has_memo) AND (assigned_to IS NULL) AND (removed_at IS NULL));
CREATE UNIQUE INDEX manual_addresses_own ON manual_addresses USING btree (network,
    address) WHERE (NOT has_memo);
CREATE UNIQUE INDEX manual_addresses_shared ON manual_addresses USING btree (currency,
    network) WHERE (has_memo AND (removed_at IS NULL));

create table migrations (
  number bigint not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (number)
);

create table operator_movements (
  id bigint not null,
  act_id bigint not null,
  at timestamp with time zone not null,
  operator_id bigint not null,
  beneficiary_id bigint,
  act text not null,
  approvals bigint not null,
  value numeric,
  credential text,
  is_counted boolean not null default true,
  constraint operator_movements_approvals_check CHECK (approvals >= 0),
  constraint operator_movements_beneficiary_id_fkey FOREIGN KEY (beneficiary_id) REFERENCES
    users(id),
  constraint operator_movements_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES users(id),
  constraint operator_movements_pkey PRIMARY KEY (id),
  constraint operator_movements_value_check CHECK (value >= 0::numeric)
);
CREATE INDEX operator_movements_by_time ON operator_movements USING btree (at);
CREATE INDEX operator_movements_of_beneficiary ON operator_movements USING btree
    (beneficiary_id, at);
CREATE INDEX operator_movements_of_credential ON operator_movements USING btree
    (credential, at) WHERE (credential IS NOT NULL);
CREATE INDEX operator_movements_of_operator ON operator_movements USING btree
    (operator_id, at);

create table outbox (
  channel bigint not null,
  sequence bigint not null,
  withdrawal_request bigint,
  deposit_request bigint,
  created_at timestamp with time zone not null default now(),
  sent_after_frame bigint,
  state text not null default 'waiting'::text,
  refusal text,
  frame bigint,
  command_number bigint,
  settled_at timestamp with time zone,
  kind text not null,
  schema_version bigint not null,
  record bytea not null,
  written_by text not null default (SESSION_USER)::text,
  voided text,
  voided_record bytea,
  written_in xid8 not null default pg_current_xact_id(),
  constraint outbox_channel_fkey FOREIGN KEY (channel) REFERENCES channels(channel),
  constraint outbox_check CHECK ((state = 'waiting'::text) = (settled_at IS NULL)),
  constraint outbox_check1 CHECK ((state = 'waiting'::text) = (frame IS NULL)),
  constraint outbox_check2 CHECK ((state = 'refused'::text) = (refusal IS NOT NULL)),
  constraint outbox_check3 CHECK ((voided IS NULL) = (voided_record IS NULL)),
  constraint outbox_deposit_request_fkey FOREIGN KEY (deposit_request) REFERENCES
    deposit_requests(id),
  constraint outbox_pkey PRIMARY KEY (channel, sequence),
  constraint outbox_sequence_check CHECK (sequence > 0),
  constraint outbox_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'accepted'::text,
    'refused'::text])),
  constraint outbox_withdrawal_request_fkey FOREIGN KEY (withdrawal_request) REFERENCES
    withdrawal_requests(id)
);
CREATE INDEX outbox_of_deposit_request ON outbox USING btree (deposit_request) WHERE
    (deposit_request IS NOT NULL);
CREATE INDEX outbox_of_withdrawal_request ON outbox USING btree (withdrawal_request)
    WHERE (withdrawal_request IS NOT NULL);
CREATE INDEX voided_outbox ON outbox USING btree (created_at) WHERE (voided IS NOT
    NULL);
CREATE INDEX waiting_outbox ON outbox USING btree (channel, sequence) WHERE (state =
    'waiting'::text);

create table pairs (
  symbol text not null,
  verified boolean not null default true,
  is_public boolean not null default true,
  active boolean not null default true,
  estimated_price numeric,
  created_by bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint pairs_estimated_price_check CHECK (estimated_price >= 0::numeric AND estimated_price
    < 'Infinity'::numeric),
  constraint pairs_pkey PRIMARY KEY (symbol),
  constraint pairs_symbol_check CHECK (symbol ~ '^[a-z0-9]{1,15}-[a-z0-9]{1,15}$'::text)
);

create table passkeys (
  id bigint not null,
  user_id bigint not null,
  credential_id bytea not null,
  public_key bytea not null,
  sign_count bigint not null default 0,
  is_backup_eligible boolean not null default false,
  is_backed_up boolean not null default false,
  transports text[] not null default '{}'::text[],
  aaguid text not null default ''::text,
  name text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX passkeys_credential_id_key ON passkeys USING btree (credential_id);
CREATE INDEX passkeys_of_user ON passkeys USING btree (user_id, id);

create table passwords (
  user_id bigint not null,
  salt bytea not null,
  memory bigint not null,
  passes bigint not null,
  lanes bigint not null,
  kek_id bigint not null,
  sealed_tag bytea not null,
  changed_at timestamp with time zone not null default now(),
  constraint passwords_pkey PRIMARY KEY (user_id),
  constraint passwords_salt_check CHECK (length(salt) = 16),
  constraint passwords_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table past_prices (
  id bigint not null,
  symbol text not null,
  price numeric not null,
  until timestamp with time zone not null default now(),
  constraint past_prices_pkey PRIMARY KEY (id),
  constraint past_prices_price_check CHECK (price > 0::numeric)
);
CREATE INDEX past_prices_of_coin ON past_prices USING btree (symbol, until);

create table payment_details (
  id bigint not null,
  user_id bigint not null,
  is_p2p boolean not null,
  is_fiat_control boolean not null,
  status text not null,
  sealed bytea not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  written_by bigint,
  constraint payment_details_pkey PRIMARY KEY (id),
  constraint payment_details_status_check CHECK (status = ANY (ARRAY['empty'::text,
    'pending'::text, 'rejected'::text, 'verified'::text])),
  constraint payment_details_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint payment_details_written_by_fkey FOREIGN KEY (written_by) REFERENCES users(id)
);
CREATE INDEX payment_details_by_writer ON payment_details USING btree (written_by)
    WHERE (written_by IS NOT NULL);
CREATE INDEX payment_details_of_user ON payment_details USING btree (user_id, id);
CREATE INDEX payment_details_to_review ON payment_details USING btree (updated_at, id)
    WHERE (status = 'pending'::text);

create table personal_data (
  user_id bigint not null,
  version bigint not null,
  sealed bytea not null,
  token_kek_id bigint,
  document_status bigint not null default 0,
  document_by bigint,
  constraint personal_data_document_by_fkey FOREIGN KEY (document_by) REFERENCES users(id),
  constraint personal_data_document_status_check CHECK (document_status >= 0 AND document_status
    <= 3),
  constraint personal_data_pkey PRIMARY KEY (user_id),
  constraint personal_data_user_id_fkey FOREIGN KEY (user_id) REFERENCES personal_keys(user_id) ON
    DELETE CASCADE,
  constraint personal_data_version_check CHECK (version > 0)
);
CREATE INDEX personal_data_by_document_status ON personal_data USING btree
    (document_status, user_id) WHERE (document_status <> 0);
CREATE INDEX personal_data_by_reviewer ON personal_data USING btree (document_by) WHERE
    (document_by IS NOT NULL);
CREATE INDEX personal_data_by_token_key ON personal_data USING btree (token_kek_id,
    user_id);

create table personal_exports (
  id bigint not null,
  operator_id bigint not null,
  list text not null,
  query_hash bytea not null,
  allowed_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint personal_exports_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES users(id),
  constraint personal_exports_pkey PRIMARY KEY (id),
  constraint personal_exports_query_hash_check CHECK (length(query_hash) = 32)
);
CREATE INDEX personal_exports_of_operator ON personal_exports USING btree (operator_id,
    id);

create table personal_keys (
  user_id bigint not null,
  kek_id bigint,
  sealed bytea,
  destroyed_at timestamp with time zone,
  constraint personal_keys_check CHECK ((kek_id IS NULL) = (sealed IS NULL)),
  constraint personal_keys_check1 CHECK ((sealed IS NULL) = (destroyed_at IS NOT NULL)),
  constraint personal_keys_pkey PRIMARY KEY (user_id),
  constraint personal_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE
    CASCADE
);

create table personal_tokens (
  user_id bigint not null,
  field text not null,
  token_mac bytea not null,
  constraint personal_tokens_field_check CHECK (field = ANY (ARRAY['phone'::text,
    'document'::text, 'name'::text, 'birth'::text, 'gender'::text, 'nationality'::text])),
  constraint personal_tokens_pkey PRIMARY KEY (user_id, field, token_mac),
  constraint personal_tokens_token_mac_check CHECK (length(token_mac) = 16),
  constraint personal_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES personal_data(user_id)
    ON DELETE CASCADE
);
CREATE INDEX personal_tokens_by_mac ON personal_tokens USING btree (field, token_mac,
    user_id);

create table processes (
  instance text not null,
  service text not null,
  host text not null,
  pid bigint not null,
  version text not null,
  commit text not null,
  started_at timestamp with time zone not null,
  heard_at timestamp with time zone not null,
  state text not null,
  constraint processes_pkey PRIMARY KEY (instance),
  constraint processes_state_check CHECK (state = ANY (ARRAY['running'::text, 'down'::text,
    'stopped'::text]))
);

create table quick_trade (
  symbol text not null,
  type text not null default 'pro'::text,
  active boolean not null default true,
  updated_at timestamp with time zone not null default now(),
  constraint quick_trade_pkey PRIMARY KEY (symbol),
  constraint quick_trade_symbol_check CHECK (symbol ~ '^[a-z0-9]{1,15}-[a-z0-9]{1,15}$'::text),
  constraint quick_trade_type_check CHECK (type = 'pro'::text)
);

create table reconciliation_checks (
  name text not null,
  frame bigint,
  rows_compared bigint not null,
  checked_at timestamp with time zone not null,
  passed_at timestamp with time zone,
  constraint reconciliation_checks_pkey PRIMARY KEY (name)
);

create table reconciliation_differences (
  id bigint not null,
  check_name text not null,
  object text not null,
  asset text,
  expected text not null,
  found text not null,
  frame bigint,
  first_found_at timestamp with time zone not null,
  found_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  constraint reconciliation_differences_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX open_reconciliation_differences ON reconciliation_differences USING
    btree (check_name, object) WHERE (closed_at IS NULL);
CREATE INDEX reconciliation_differences_by_time ON reconciliation_differences USING
    btree (first_found_at);

create table recovery_codes (
  user_id bigint not null,
  code_hash bytea not null,
  used_at timestamp with time zone,
  constraint recovery_codes_code_hash_check CHECK (length(code_hash) = 32),
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE
    CASCADE
);

create table referral_accruals (
  user_id bigint not null,
  batch_id bigint not null,
  referrer_id bigint not null,
  numerator numeric not null,
  constraint referral_accruals_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES
    referral_batches(id),
  constraint referral_accruals_numerator_check CHECK (numerator > 0::numeric AND numerator =
    trunc(numerator)),
  constraint referral_accruals_pkey PRIMARY KEY (user_id, batch_id),
  constraint referral_accruals_referrer_id_fkey FOREIGN KEY (referrer_id) REFERENCES users(id),
  constraint referral_accruals_user_id_fkey FOREIGN KEY (user_id) REFERENCES affiliations(user_id)
);
CREATE INDEX referral_accruals_of_referrer ON referral_accruals USING btree
    (referrer_id, batch_id, user_id);

create table referral_batches (
  id bigint not null,
  from_frame bigint not null,
  to_frame bigint not null,
  from_time timestamp with time zone not null,
  to_time timestamp with time zone not null,
  state text not null,
  asset_id bigint,
  currency text,
  scale bigint,
  prices jsonb,
  created_at timestamp with time zone not null default now(),
  constraint referral_batches_check CHECK (to_frame > from_frame),
  constraint referral_batches_check1 CHECK (to_time >= from_time),
  constraint referral_batches_check2 CHECK (num_nulls(asset_id, currency, scale, prices) =
CASE
    state
    WHEN 'skipped'::text THEN 4
    ELSE 0
END),
  constraint referral_batches_from_frame_key UNIQUE (from_frame),
  constraint referral_batches_pkey PRIMARY KEY (id),
  constraint referral_batches_prices_check CHECK (jsonb_typeof(prices) = 'object'::text),
  constraint referral_batches_state_check CHECK (state = ANY (ARRAY['open'::text, 'counted'::text,
    'skipped'::text])),
  constraint referral_batches_to_frame_key UNIQUE (to_frame)
);
CREATE INDEX open_referral_batches ON referral_batches USING btree (id) WHERE (state =
    'open'::text);
CREATE UNIQUE INDEX referral_batches_from_frame_key ON referral_batches USING btree
    (from_frame);
CREATE UNIQUE INDEX referral_batches_to_frame_key ON referral_batches USING btree
    (to_frame);

create table referral_codes (
  code text not null,
  user_id bigint not null,
  discount bigint not null,
  earning_rate bigint not null,
  uses bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  constraint referral_codes_check CHECK ((discount + earning_rate) >= 10 AND (discount +
    earning_rate) <= 100),
  constraint referral_codes_code_check CHECK (code ~ '^[A-Za-z0-9]{6}$'::text),
  constraint referral_codes_discount_check CHECK (discount >= 0 AND discount <= 100 AND (discount
    % 10::bigint) = 0),
  constraint referral_codes_earning_rate_check CHECK (earning_rate >= 0 AND earning_rate <= 90 AND
    (earning_rate % 10::bigint) = 0),
  constraint referral_codes_pkey PRIMARY KEY (code),
  constraint referral_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE UNIQUE INDEX referral_codes_by_text ON referral_codes USING btree (upper(code));
CREATE INDEX referral_codes_by_time ON referral_codes USING btree (created_at, code);
CREATE INDEX referral_codes_of_user ON referral_codes USING btree (user_id, code);

create table referral_payouts (
  id bigint not null,
  referrer_id bigint not null,
  distributor_id bigint not null,
  asset_id bigint not null,
  currency text not null,
  scale bigint not null,
  amount_atoms bigint not null,
  channel bigint not null,
  sequence bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint referral_payouts_amount_atoms_check CHECK (amount_atoms > 0),
  constraint referral_payouts_channel_sequence_fkey FOREIGN KEY (channel, sequence) REFERENCES
    outbox(channel, sequence),
  constraint referral_payouts_channel_sequence_key UNIQUE (channel, sequence),
  constraint referral_payouts_pkey PRIMARY KEY (id),
  constraint referral_payouts_referrer_id_fkey FOREIGN KEY (referrer_id) REFERENCES users(id)
);
CREATE UNIQUE INDEX referral_payouts_channel_sequence_key ON referral_payouts USING
    btree (channel, sequence);
CREATE INDEX referral_payouts_of_referrer ON referral_payouts USING btree (referrer_id,
    created_at, id);

create table referral_progress (
  is_only boolean not null default true,
  frame bigint not null,
  time timestamp with time zone not null,
  constraint referral_progress_is_only_check CHECK (is_only),
  constraint referral_progress_pkey PRIMARY KEY (is_only)
);

create table referral_totals (
  referrer_id bigint not null,
  asset_id bigint not null,
  numerator numeric not null,
  constraint referral_totals_numerator_check CHECK (numerator > 0::numeric AND numerator =
    trunc(numerator)),
  constraint referral_totals_pkey PRIMARY KEY (referrer_id, asset_id),
  constraint referral_totals_referrer_id_fkey FOREIGN KEY (referrer_id) REFERENCES users(id)
);

create table registry_term (
  singleton boolean not null default true,
  registry uuid not null default gen_random_uuid(),
  exchange text,
  term bigint not null,
  state text not null,
  reason text,
  timeline text not null,
  server_started timestamp with time zone not null,
  changed_at timestamp with time zone not null default now(),
  constraint registry_term_check CHECK ((reason IS NULL) = (state <> 'blocked'::text)),
  constraint registry_term_pkey PRIMARY KEY (singleton),
  constraint registry_term_singleton_check CHECK (singleton),
  constraint registry_term_state_check CHECK (state = ANY (ARRAY['new'::text, 'confirming'::text,
    'confirmed'::text, 'blocked'::text])),
  constraint registry_term_term_check CHECK (term > 0)
);

create table reveals (
  id bigint not null,
  operator_id bigint not null,
  subject_id bigint not null,
  fields text[] not null,
  reason text not null,
  ticket text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  reviewer_id bigint,
  verdict text,
  comment text not null default ''::text,
  reviewed_at timestamp with time zone,
  constraint reveals_check CHECK (reviewer_id <> operator_id AND reviewer_id <> subject_id),
  constraint reveals_check1 CHECK ((verdict IS NULL) = (reviewed_at IS NULL)),
  constraint reveals_check2 CHECK ((verdict IS NULL) = (reviewer_id IS NULL)),
  constraint reveals_comment_check CHECK (length(comment) <= 500),
  constraint reveals_fields_check CHECK (cardinality(fields) > 0),
  constraint reveals_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES users(id),
  constraint reveals_pkey PRIMARY KEY (id),
  constraint reveals_reason_check CHECK (length(reason) >= 10 AND length(reason) <= 500),
  constraint reveals_reviewer_id_fkey FOREIGN KEY (reviewer_id) REFERENCES users(id),
  constraint reveals_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES users(id),
  constraint reveals_ticket_check CHECK (length(ticket) >= 1 AND length(ticket) <= 64),
  constraint reveals_verdict_check CHECK (verdict = ANY (ARRAY['justified'::text,
    'unjustified'::text]))
);
CREATE INDEX reveals_of_operator ON reveals USING btree (operator_id, id);
CREATE INDEX reveals_of_reviewer ON reveals USING btree (reviewer_id) WHERE
    (reviewer_id IS NOT NULL);
CREATE INDEX reveals_of_subject ON reveals USING btree (subject_id, id);
CREATE INDEX reveals_to_review ON reveals USING btree (id) WHERE (verdict IS NULL);

create table roles (
  name text not null,
  permissions text[] not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  id bigint not null,
  description text not null default ''::text,
  color text not null default ''::text,
  configs text[] not null default '{}'::text[],
  powers text[] not null default '{}'::text[],
  money_ceiling numeric,
  lookups_per_hour bigint default 60,
  lookups_per_day bigint default 300,
  constraint roles_id_key UNIQUE (id),
  constraint roles_lookups_per_day_check CHECK (lookups_per_day >= 0),
  constraint roles_lookups_per_hour_check CHECK (lookups_per_hour >= 0),
  constraint roles_money_ceiling_check CHECK (money_ceiling >= 0::numeric AND money_ceiling <
    'Infinity'::numeric),
  constraint roles_name_check CHECK (name ~ '^[a-z][a-z0-9_-]{0,47}$'::text AND name <>
    'user'::text),
  constraint roles_pkey PRIMARY KEY (name)
);
CREATE UNIQUE INDEX roles_id_key ON roles USING btree (id);

create table security_changes (
  id bigint not null,
  user_id bigint not null,
  kind text not null,
  at timestamp with time zone not null,
  constraint security_changes_pkey PRIMARY KEY (id),
  constraint security_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE
    CASCADE
);
CREATE INDEX security_changes_of_user ON security_changes USING btree (user_id, at, id);

create table session_ends (
  id boolean not null default true,
  everyone_at timestamp with time zone not null default '1970-01-01 00:00:00+00'::timestamp with
    time zone,
  kept_session bigint not null default 0,
  users_at timestamp with time zone not null default '1970-01-01 00:00:00+00'::timestamp with time
    zone,
  constraint session_ends_id_check CHECK (id),
  constraint session_ends_pkey PRIMARY KEY (id)
);

create table sessions (
  id bigint not null,
  user_id bigint not null,
  token_hash bytea not null,
  scopes text[] not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  last_seen_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  kind text not null default 'login'::text,
  actor_id bigint,
  device_id bigint,
  login_id bigint,
  security_version bigint not null default 1,
  strong_at timestamp with time zone,
  idle_seconds bigint,
  ip text not null default ''::text,
  user_agent text not null default ''::text,
  revoked_reason text,
  opened_by bigint,
  constraint sessions_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id),
  constraint sessions_idle_seconds_check CHECK (idle_seconds > 0),
  constraint sessions_kind_check CHECK (kind = ANY (ARRAY['login'::text, 'sub'::text,
    'shared'::text])),
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_token_hash_check CHECK (length(token_hash) = 32),
  constraint sessions_token_hash_key UNIQUE (token_hash),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX ended_sessions_of_user ON sessions USING btree (user_id, revoked_at, id)
    WHERE (revoked_at IS NOT NULL);
CREATE INDEX live_sessions_of_user ON sessions USING btree (user_id, id) WHERE
    (revoked_at IS NULL);
CREATE INDEX sessions_by_end ON sessions USING btree (LEAST(revoked_at, expires_at));
CREATE INDEX sessions_by_time ON sessions USING btree (created_at, id);
CREATE INDEX sessions_by_use ON sessions USING btree (last_seen_at) WHERE (last_seen_at
    IS NOT NULL);
CREATE INDEX sessions_of_actor ON sessions USING btree (actor_id) WHERE (actor_id IS
    NOT NULL);
CREATE INDEX sessions_of_user ON sessions USING btree (user_id, id);
CREATE UNIQUE INDEX sessions_token_hash_key ON sessions USING btree (token_hash);

create table setup_tokens (
  token_hash bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint setup_tokens_pkey PRIMARY KEY (token_hash),
  constraint setup_tokens_token_hash_check CHECK (length(token_hash) = 32)
);

create table shared_accounts (
  id bigint not null,
  user_id bigint not null,
  guest_id bigint,
  reference uuid not null,
  kek_id bigint not null,
  sealed_email bytea not null,
  label text not null default ''::text,
  state text not null default 'active'::text,
  created_at timestamp with time zone not null default now(),
  constraint shared_accounts_guest_id_fkey FOREIGN KEY (guest_id) REFERENCES users(id),
  constraint shared_accounts_label_check CHECK (length(label) <= 64),
  constraint shared_accounts_pkey PRIMARY KEY (id),
  constraint shared_accounts_reference_key UNIQUE (reference),
  constraint shared_accounts_state_check CHECK (state = ANY (ARRAY['active'::text,
    'paused'::text])),
  constraint shared_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX shared_accounts_of_guest ON shared_accounts USING btree (guest_id, id)
    WHERE (guest_id IS NOT NULL);
CREATE INDEX shared_accounts_of_owner ON shared_accounts USING btree (user_id, id);
CREATE UNIQUE INDEX shared_accounts_reference_key ON shared_accounts USING btree
    (reference);

create table spent_challenges (
  hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint spent_challenges_hash_check CHECK (length(hash) = 32),
  constraint spent_challenges_pkey PRIMARY KEY (hash)
);
CREATE INDEX spent_challenges_by_expiry ON spent_challenges USING btree (expires_at);

create table stake_accruals (
  stake_id bigint not null,
  day date not null,
  pool_id bigint not null,
  atoms bigint not null,
  constraint stake_accruals_atoms_check CHECK (atoms >= 0),
  constraint stake_accruals_pkey PRIMARY KEY (stake_id, day),
  constraint stake_accruals_pool_id_day_fkey FOREIGN KEY (pool_id, day) REFERENCES
    stake_pool_days(pool_id, day),
  constraint stake_accruals_stake_id_fkey FOREIGN KEY (stake_id) REFERENCES stakes(id)
);
CREATE INDEX stake_accruals_of_day ON stake_accruals USING btree (pool_id, day) INCLUDE
    (atoms);

create table stake_changes (
  id bigint not null,
  stake_id bigint not null,
  action text not null,
  published_at timestamp with time zone,
  constraint stake_changes_action_check CHECK (action = ANY (ARRAY['insert'::text, 'update'::text,
    'delete'::text])),
  constraint stake_changes_pkey PRIMARY KEY (id),
  constraint stake_changes_stake_id_fkey FOREIGN KEY (stake_id) REFERENCES stakes(id)
);
CREATE INDEX stake_changes_to_publish ON stake_changes USING btree (id) WHERE
    (published_at IS NULL);

create table stake_movements (
  id bigint not null,
  pool_id bigint not null,
  stake_id bigint,
  kind text not null,
  day date,
  sender_id bigint not null,
  receiver_id bigint not null,
  asset_id bigint not null,
  amount_atoms bigint not null,
  channel bigint not null,
  sequence bigint not null,
  state text not null default 'waiting'::text,
  created_at timestamp with time zone not null default now(),
  constraint stake_movements_amount_atoms_check CHECK (amount_atoms > 0),
  constraint stake_movements_channel_sequence_fkey FOREIGN KEY (channel, sequence) REFERENCES
    outbox(channel, sequence),
  constraint stake_movements_channel_sequence_key UNIQUE (channel, sequence),
  constraint stake_movements_check CHECK (receiver_id <> sender_id),
  constraint stake_movements_check1 CHECK ((kind = 'day'::text) = (day IS NOT NULL)),
  constraint stake_movements_check2 CHECK ((kind = 'day'::text) = (stake_id IS NULL)),
  constraint stake_movements_kind_check CHECK (kind = ANY (ARRAY['open'::text, 'day'::text,
    'adjust'::text, 'principal'::text, 'reward'::text, 'slashed_principal'::text,
    'slashed_reward'::text])),
  constraint stake_movements_pkey PRIMARY KEY (id),
  constraint stake_movements_pool_id_fkey FOREIGN KEY (pool_id) REFERENCES stake_pools(id),
  constraint stake_movements_stake_id_fkey FOREIGN KEY (stake_id) REFERENCES stakes(id),
  constraint stake_movements_state_check CHECK (state = ANY (ARRAY['waiting'::text,
    'accepted'::text, 'refused'::text]))
);
CREATE INDEX open_stake_days ON stake_movements USING btree (pool_id, day) WHERE ((kind
    = 'day'::text) AND (state <> 'accepted'::text));
CREATE INDEX open_stake_movements ON stake_movements USING btree (id) WHERE (state <>
    'accepted'::text);
CREATE UNIQUE INDEX stake_movements_channel_sequence_key ON stake_movements USING btree
    (channel, sequence);
CREATE UNIQUE INDEX stake_movements_of_day ON stake_movements USING btree (pool_id,
    day) WHERE (kind = 'day'::text);
CREATE INDEX stake_movements_of_stake ON stake_movements USING btree (stake_id) WHERE
    (stake_id IS NOT NULL);
CREATE UNIQUE INDEX stake_movements_once ON stake_movements USING btree (stake_id,
    kind) WHERE (kind <> ALL (ARRAY['day'::text, 'adjust'::text]));

create table stake_pool_days (
  pool_id bigint not null,
  day date not null,
  apy_micro bigint not null,
  price_units numeric not null,
  sum_atoms bigint,
  constraint stake_pool_days_pkey PRIMARY KEY (pool_id, day),
  constraint stake_pool_days_pool_id_fkey FOREIGN KEY (pool_id) REFERENCES stake_pools(id),
  constraint stake_pool_days_price_units_check CHECK (price_units >= 0::numeric AND price_units =
    trunc(price_units)),
  constraint stake_pool_days_sum_atoms_check CHECK (sum_atoms >= 0)
);

create table stake_pool_rates (
  pool_id bigint not null,
  from_day date not null,
  apy_micro bigint not null,
  constraint stake_pool_rates_apy_micro_check CHECK (apy_micro >= 0 AND apy_micro <=
    '10000000000'::bigint),
  constraint stake_pool_rates_pkey PRIMARY KEY (pool_id, from_day),
  constraint stake_pool_rates_pool_id_fkey FOREIGN KEY (pool_id) REFERENCES stake_pools(id)
);

create table stake_pools (
  id bigint not null,
  name text not null,
  category text,
  disclaimer text,
  user_id bigint not null,
  account_id bigint not null,
  reserve_id bigint not null,
  asset_id bigint not null,
  currency text not null,
  scale bigint not null,
  reward_asset_id bigint not null,
  reward_currency text not null,
  reward_scale bigint not null,
  duration_days bigint,
  min_atoms bigint not null,
  max_atoms bigint not null,
  early_unstake boolean not null,
  principal_slash_ppm bigint not null,
  reward_slash_ppm bigint not null,
  is_automatic boolean not null,
  onboarding boolean not null default false,
  state text not null default 'uninitialized'::text,
  accrued_to date not null,
  paused_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint stake_pools_account_id_fkey FOREIGN KEY (account_id) REFERENCES users(id),
  constraint stake_pools_category_check CHECK (length(category) <= 256),
  constraint stake_pools_check CHECK (max_atoms >= min_atoms),
  constraint stake_pools_check1 CHECK (account_id <> reserve_id),
  constraint stake_pools_check2 CHECK (duration_days IS NOT NULL OR principal_slash_ppm = 0 AND
    reward_slash_ppm = 0),
  constraint stake_pools_check3 CHECK (NOT onboarding OR state <> 'terminated'::text),
  constraint stake_pools_disclaimer_check CHECK (length(disclaimer) <= 10000),
  constraint stake_pools_duration_days_check CHECK (duration_days >= 1 AND duration_days <= 3650),
  constraint stake_pools_min_atoms_check CHECK (min_atoms > 0),
  constraint stake_pools_name_check CHECK (length(name) >= 1 AND length(name) <= 256),
  constraint stake_pools_name_key UNIQUE (name),
  constraint stake_pools_pkey PRIMARY KEY (id),
  constraint stake_pools_principal_slash_ppm_check CHECK (principal_slash_ppm >= 0 AND
    principal_slash_ppm <= 1000000),
  constraint stake_pools_reserve_id_fkey FOREIGN KEY (reserve_id) REFERENCES users(id),
  constraint stake_pools_reserve_id_key UNIQUE (reserve_id),
  constraint stake_pools_reward_slash_ppm_check CHECK (reward_slash_ppm >= 0 AND reward_slash_ppm
    <= 1000000),
  constraint stake_pools_state_check CHECK (state = ANY (ARRAY['uninitialized'::text,
    'active'::text, 'paused'::text, 'terminated'::text])),
  constraint stake_pools_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE UNIQUE INDEX stake_pools_name_key ON stake_pools USING btree (name);
CREATE INDEX stake_pools_of_account ON stake_pools USING btree (account_id);
CREATE INDEX stake_pools_of_user ON stake_pools USING btree (user_id);
CREATE UNIQUE INDEX stake_pools_reserve_id_key ON stake_pools USING btree (reserve_id);

create table stakes (
  id bigint not null,
  pool_id bigint not null,
  user_id bigint not null,
  principal_atoms bigint not null,
  state text not null default 'opening'::text,
  duration_days bigint,
  early_unstake boolean not null,
  principal_slash_ppm bigint not null,
  reward_slash_ppm bigint not null,
  opened_day date,
  closing_day date,
  last_day date,
  end_day date,
  numerator numeric not null default 0,
  accrued_atoms bigint not null default 0,
  adjusted_atoms bigint not null default 0,
  nav_atoms bigint not null,
  is_early boolean not null default false,
  reward_settled boolean not null default false,
  closing_at timestamp with time zone,
  unstaked_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint stakes_accrued_atoms_check CHECK (accrued_atoms >= 0),
  constraint stakes_check CHECK ((accrued_atoms + adjusted_atoms) >= 0),
  constraint stakes_check1 CHECK ((state = ANY (ARRAY['opening'::text, 'refused'::text])) =
    (opened_day IS NULL)),
  constraint stakes_check2 CHECK ((opened_day IS NULL) = (last_day IS NULL)),
  constraint stakes_check3 CHECK ((state <> ALL (ARRAY['unstaking'::text, 'settling'::text,
    'closed'::text])) OR end_day IS NOT NULL),
  constraint stakes_check4 CHECK (last_day >= opened_day AND last_day <= COALESCE(end_day,
    last_day)),
  constraint stakes_nav_atoms_check CHECK (nav_atoms >= 0),
  constraint stakes_numerator_check CHECK (numerator >= 0::numeric AND numerator =
    trunc(numerator)),
  constraint stakes_pkey PRIMARY KEY (id),
  constraint stakes_pool_id_fkey FOREIGN KEY (pool_id) REFERENCES stake_pools(id),
  constraint stakes_principal_atoms_check CHECK (principal_atoms > 0),
  constraint stakes_state_check CHECK (state = ANY (ARRAY['opening'::text, 'refused'::text,
    'staking'::text, 'unstaking'::text, 'settling'::text, 'closed'::text])),
  constraint stakes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX stakes_by_time ON stakes USING btree (created_at, id);
CREATE INDEX stakes_of_pool ON stakes USING btree (pool_id, last_day, id) WHERE (state
    = ANY (ARRAY['staking'::text, 'unstaking'::text]));
CREATE INDEX stakes_of_user ON stakes USING btree (user_id, created_at, id);
CREATE INDEX stakes_to_mature ON stakes USING btree (end_day, id) WHERE (state =
    'staking'::text);
CREATE INDEX stakes_under_way ON stakes USING btree (id) WHERE (state = ANY
    (ARRAY['opening'::text, 'unstaking'::text, 'settling'::text]));

create table stopped_accounts (
  object text not null,
  user_id bigint not null,
  previous_state text not null,
  previous_since timestamp with time zone not null,
  frozen_at timestamp with time zone not null,
  constraint stopped_accounts_pkey PRIMARY KEY (object, user_id),
  constraint stopped_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX stopped_accounts_of_user ON stopped_accounts USING btree (user_id);

create table stops (
  name text not null,
  object text not null,
  previous text not null,
  stopped_by bigint,
  stopped_at timestamp with time zone not null,
  reason text not null default ''::text,
  mode text not null default ''::text,
  banner text not null default ''::text,
  constraint stops_banner_check CHECK (length(banner) <= 500),
  constraint stops_name_check CHECK (name = ANY (ARRAY['trading'::text, 'deposits'::text,
    'withdrawals'::text, 'writes'::text, 'logins'::text, 'accounts'::text, 'intake'::text])),
  constraint stops_pkey PRIMARY KEY (name, object),
  constraint stops_stopped_by_fkey FOREIGN KEY (stopped_by) REFERENCES users(id)
);
CREATE INDEX stops_of_operator ON stops USING btree (stopped_by);

create table sub_accounts (
  user_id bigint not null,
  parent_id bigint not null,
  label text not null,
  color text,
  created_at timestamp with time zone not null default now(),
  constraint sub_accounts_color_check CHECK (length(color) <= 32),
  constraint sub_accounts_label_check CHECK (length(label) >= 1 AND length(label) <= 64),
  constraint sub_accounts_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES users(id),
  constraint sub_accounts_pkey PRIMARY KEY (user_id),
  constraint sub_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE UNIQUE INDEX sub_accounts_by_label ON sub_accounts USING btree (parent_id,
    lower(label));

create table support_messages (
  id bigint not null,
  user_id bigint,
  kek_id bigint not null,
  sealed bytea not null,
  reference text not null,
  created_at timestamp with time zone not null default now(),
  constraint support_messages_pkey PRIMARY KEY (id),
  constraint support_messages_reference_key UNIQUE (reference),
  constraint support_messages_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE
    SET NULL
);
CREATE INDEX support_messages_by_time ON support_messages USING btree (created_at);
CREATE INDEX support_messages_of_user ON support_messages USING btree (user_id) WHERE
    (user_id IS NOT NULL);
CREATE UNIQUE INDEX support_messages_reference_key ON support_messages USING btree
    (reference);

create table surveillance_rules (
  rule text not null,
  is_on boolean not null default true,
  parameters jsonb not null,
  updated_at timestamp with time zone not null default now(),
  checked_to timestamp with time zone,
  constraint surveillance_rules_pkey PRIMARY KEY (rule),
  constraint surveillance_rules_rule_check CHECK (rule = ANY (ARRAY['price_band'::text,
    'self_trade'::text, 'cancel_ratio'::text, 'unusual_withdrawal'::text, 'new_country'::text]))
);

create table switch_version (
  id boolean not null default true,
  version bigint not null,
  constraint switch_version_id_check CHECK (id),
  constraint switch_version_pkey PRIMARY KEY (id)
);

create table tiers (
  id bigint not null,
  name text not null,
  icon text not null default ''::text,
  description text not null default ''::text,
  note text not null default ''::text,
  deposit_limit numeric not null default 0,
  withdrawal_limit numeric not null default 0,
  native_currency_limit boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint tiers_deposit_limit_check CHECK (deposit_limit >= '-1'::integer::numeric AND
    deposit_limit < 'Infinity'::numeric),
  constraint tiers_id_check CHECK (id >= 0 AND id <= 63),
  constraint tiers_name_check CHECK (length(name) >= 1 AND length(name) <= 100),
  constraint tiers_pkey PRIMARY KEY (id),
  constraint tiers_withdrawal_limit_check CHECK (withdrawal_limit >= '-1'::integer::numeric AND
    withdrawal_limit < 'Infinity'::numeric)
);

create table totp_secrets (
  user_id bigint not null,
  kek_id bigint not null,
  sealed_secret bytea not null,
  state text not null,
  last_step bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  constraint totp_secrets_pkey PRIMARY KEY (user_id),
  constraint totp_secrets_state_check CHECK (state = ANY (ARRAY['pending'::text, 'active'::text])),
  constraint totp_secrets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE
    CASCADE
);
CREATE INDEX pending_totp_secrets ON totp_secrets USING btree (created_at) WHERE (state
    = 'pending'::text);

create table traded_days (
  user_id bigint not null,
  day date not null,
  market_id bigint not null,
  side text not null,
  size_lots numeric not null,
  quote_atoms numeric not null,
  trades bigint not null,
  constraint traded_days_pkey PRIMARY KEY (user_id, day, market_id, side),
  constraint traded_days_side_check CHECK (side = ANY (ARRAY['buy'::text, 'sell'::text])),
  constraint traded_days_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table transaction_limits (
  id bigint not null,
  tier bigint not null,
  type text not null,
  currency text not null,
  limit_currency text not null,
  amount numeric not null,
  monthly_amount numeric not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint transaction_limits_amount_check CHECK (amount = '-1'::integer::numeric OR amount >=
    0::numeric AND amount < 'Infinity'::numeric),
  constraint transaction_limits_check CHECK (monthly_amount <= 0::numeric OR amount <> 0::numeric
    AND amount <= monthly_amount),
  constraint transaction_limits_monthly_amount_check CHECK (monthly_amount =
    '-1'::integer::numeric OR monthly_amount >= 0::numeric AND monthly_amount <
    'Infinity'::numeric),
  constraint transaction_limits_pkey PRIMARY KEY (id),
  constraint transaction_limits_tier_check CHECK (tier >= 0 AND tier <= 63),
  constraint transaction_limits_tier_type_limit_currency_key UNIQUE (tier, type, limit_currency),
  constraint transaction_limits_type_check CHECK (type = ANY (ARRAY['withdrawal'::text,
    'deposit'::text]))
);
CREATE UNIQUE INDEX transaction_limits_tier_type_limit_currency_key ON
    transaction_limits USING btree (tier, type, limit_currency);

create table transfer_changes (
  id bigint not null,
  withdrawal_request bigint,
  deposit_request bigint,
  user_id bigint not null,
  state text not null,
  changed_at timestamp with time zone not null default clock_timestamp(),
  published_at timestamp with time zone,
  mailed_at timestamp with time zone,
  terms bytea,
  constraint transfer_changes_check CHECK (num_nonnulls(withdrawal_request, deposit_request) = 1),
  constraint transfer_changes_deposit_request_fkey FOREIGN KEY (deposit_request) REFERENCES
    deposit_requests(id),
  constraint transfer_changes_pkey PRIMARY KEY (id),
  constraint transfer_changes_terms_check CHECK (length(terms) = 32),
  constraint transfer_changes_withdrawal_request_fkey FOREIGN KEY (withdrawal_request) REFERENCES
    withdrawal_requests(id)
);
CREATE INDEX deposit_changes_of_user ON transfer_changes USING btree (user_id,
    changed_at, id) WHERE (deposit_request IS NOT NULL);
CREATE INDEX transfer_changes_of_deposit ON transfer_changes USING btree
    (deposit_request, id) WHERE (deposit_request IS NOT NULL);
CREATE INDEX transfer_changes_of_withdrawal ON transfer_changes USING btree
    (withdrawal_request, id) WHERE (withdrawal_request IS NOT NULL);
CREATE INDEX transfer_changes_to_mail ON transfer_changes USING btree (id) WHERE
    (mailed_at IS NULL);
CREATE INDEX transfer_changes_to_publish ON transfer_changes USING btree (id) WHERE
    (published_at IS NULL);
CREATE INDEX withdrawal_changes_of_user ON transfer_changes USING btree (user_id,
    changed_at, id) WHERE (withdrawal_request IS NOT NULL);

create table users (
  id bigint not null,
  email text not null,
  username text not null,
  verification_level bigint not null default 1,
  affiliation_code text not null,
  affiliation_rate numeric not null default 0,
  settings jsonb not null default '{}'::jsonb,
  discount numeric not null default 0,
  meta jsonb not null default '{}'::jsonb,
  note text not null default ''::text,
  flagged boolean not null default false,
  role text,
  withdrawal_blocked_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  state text not null default 'active'::text,
  kind text not null default 'person'::text,
  parent_id bigint,
  security_version bigint not null default 1,
  block_reason text,
  book_only boolean not null default false,
  has_chosen_username boolean not null default false,
  state_since timestamp with time zone not null default now(),
  book_only_until timestamp with time zone,
  role_since timestamp with time zone,
  constraint users_affiliation_code_check CHECK (affiliation_code ~ '^[A-Z0-9]{6}$'::text),
  constraint users_affiliation_code_key UNIQUE (affiliation_code),
  constraint users_affiliation_rate_check CHECK (affiliation_rate >= 0::numeric),
  constraint users_check CHECK ((parent_id IS NOT NULL) = (kind = ANY (ARRAY['sub'::text,
    'virtual'::text]))),
  constraint users_discount_check CHECK (discount >= 0::numeric AND discount <= 100::numeric),
  constraint users_email_check CHECK (length(email) >= 3 AND length(email) <= 254 AND email ~~
    '%_@_%'::text),
  constraint users_kind_check CHECK (kind = ANY (ARRAY['person'::text, 'sub'::text,
    'virtual'::text, 'house'::text])),
  constraint users_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES users(id),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_role_fkey FOREIGN KEY (role) REFERENCES roles(name),
  constraint users_state_check CHECK (state = ANY (ARRAY['unverified'::text, 'active'::text,
    'frozen'::text, 'closing'::text, 'closed'::text, 'erased'::text])),
  constraint users_verification_level_check CHECK (verification_level >= 0)
);
CREATE INDEX operators ON users USING btree (id) WHERE (role IS NOT NULL);
CREATE INDEX sub_accounts_of_user ON users USING btree (parent_id) WHERE (parent_id IS
    NOT NULL);
CREATE UNIQUE INDEX users_affiliation_code_key ON users USING btree (affiliation_code);
CREATE UNIQUE INDEX users_by_chosen_username ON users USING btree (lower(username))
    WHERE has_chosen_username;
CREATE UNIQUE INDEX users_by_email ON users USING btree (lower(email));
CREATE INDEX users_by_level ON users USING btree (verification_level, id);
CREATE INDEX users_by_state ON users USING btree (state, id);
CREATE INDEX users_by_time ON users USING btree (created_at, id);
CREATE INDEX users_by_trigrams ON users USING gin (trigrams(lower(((email || ' '::text)
    || username))));
CREATE INDEX users_by_username ON users USING btree (lower(username), id);
CREATE INDEX users_in_passing_states ON users USING btree (state, state_since, id)
    WHERE (state = ANY (ARRAY['unverified'::text, 'closing'::text, 'closed'::text]));
CREATE INDEX users_of_house ON users USING btree (id) WHERE (kind = 'house'::text);

create table wallets (
  id bigint not null,
  user_id bigint not null,
  currency text not null,
  address text not null,
  network text not null,
  standard text,
  is_valid boolean not null default true,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint wallets_pkey PRIMARY KEY (id),
  constraint wallets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX unused_wallets ON wallets USING btree (id) WHERE (NOT is_valid);
CREATE UNIQUE INDEX wallets_by_address ON wallets USING btree (address, currency,
    network) WHERE is_valid;
CREATE INDEX wallets_by_any_address ON wallets USING btree (address, id);
CREATE INDEX wallets_by_time ON wallets USING btree (created_at, id);
CREATE INDEX wallets_by_user ON wallets USING btree (user_id, id);
CREATE INDEX wallets_in_currency ON wallets USING btree (currency, id);
CREATE INDEX wallets_in_network ON wallets USING btree (network, id);
CREATE UNIQUE INDEX wallets_of_user ON wallets USING btree (user_id, currency, network)
    WHERE is_valid;

create table withdrawal_ceilings (
  currency text not null,
  hourly numeric,
  daily numeric,
  updated_at timestamp with time zone not null default now(),
  constraint withdrawal_ceilings_currency_check CHECK (currency ~ '^[a-z0-9]{1,15}$'::text),
  constraint withdrawal_ceilings_daily_check CHECK (daily >= 0::numeric AND daily <
    'Infinity'::numeric),
  constraint withdrawal_ceilings_hourly_check CHECK (hourly >= 0::numeric AND hourly <
    'Infinity'::numeric),
  constraint withdrawal_ceilings_pkey PRIMARY KEY (currency)
);

create table withdrawal_policy_settings (
  is_only boolean not null default true,
  content jsonb not null,
  updated_at timestamp with time zone not null default now(),
  constraint withdrawal_policy_settings_content_check CHECK (jsonb_typeof(content) =
    'object'::text),
  constraint withdrawal_policy_settings_is_only_check CHECK (is_only),
  constraint withdrawal_policy_settings_pkey PRIMARY KEY (is_only)
);

create table withdrawal_requests (
  id bigint not null,
  kind text not null,
  user_id bigint not null,
  asset_id bigint not null,
  currency text not null,
  scale bigint not null,
  amount_atoms bigint not null,
  fee_asset_id bigint not null,
  fee_currency text not null,
  fee_scale bigint not null,
  fee_atoms bigint not null,
  address text not null,
  network text,
  transaction_id text not null,
  state text not null,
  description text not null default ''::text,
  signature_hash bytea,
  key_id bigint not null default 0,
  policy_input jsonb,
  refusal text,
  command bigint,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  onhold boolean not null default false,
  session_id bigint not null default 0,
  reviews_needed bigint not null default 0,
  approved_by bigint[] not null default '{}'::bigint[],
  claimed_by bigint,
  claimed_at timestamp with time zone,
  expires_at timestamp with time zone,
  policy_lines jsonb,
  actor_id bigint,
  with_mail boolean,
  bank_sealed bytea,
  claimed_for text,
  constraint withdrawal_requests_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id),
  constraint withdrawal_requests_amount_atoms_check CHECK (amount_atoms > 0),
  constraint withdrawal_requests_claimed_for_check CHECK (claimed_for = ANY
    (ARRAY['operator'::text, 'custody'::text])),
  constraint withdrawal_requests_fee_atoms_check CHECK (fee_atoms >= 0),
  constraint withdrawal_requests_kind_check CHECK (kind = ANY (ARRAY['withdrawal'::text,
    'burn'::text, 'transfer'::text])),
  constraint withdrawal_requests_pkey PRIMARY KEY (id),
  constraint withdrawal_requests_reviews_needed_check CHECK (reviews_needed >= 0 AND
    reviews_needed <= 2),
  constraint withdrawal_requests_signature_hash_key UNIQUE (signature_hash),
  constraint withdrawal_requests_state_check CHECK (state = ANY (ARRAY['unconfirmed'::text,
    'awaiting_recipient'::text, 'opening'::text, 'executing'::text, 'in_review'::text,
    'approved'::text, 'claimed'::text, 'completing'::text, 'canceling'::text,
    'dismissing'::text, 'rejecting'::text, 'expiring'::text, 'completed'::text, 'refused'::text,
    'canceled'::text, 'dismissed'::text, 'rejected'::text, 'expired'::text])),
  constraint withdrawal_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX dismissed_withdrawal_requests ON withdrawal_requests USING btree (id)
    WHERE (state = ANY (ARRAY['canceling'::text, 'dismissing'::text, 'expiring'::text,
    'canceled'::text, 'dismissed'::text, 'expired'::text]));
CREATE INDEX fiat_withdrawal_requests_of_user ON withdrawal_requests USING btree
    (user_id, currency, state) WHERE (network = 'fiat'::text);
CREATE INDEX open_withdrawal_requests ON withdrawal_requests USING btree (id) WHERE
    (state <> 'completed'::text);
CREATE INDEX open_withdrawal_requests_of_user ON withdrawal_requests USING btree
    (user_id) WHERE (state <> ALL (ARRAY['completed'::text, 'refused'::text, 'canceled'::text,
    'dismissed'::text, 'rejected'::text, 'expired'::text]));
CREATE INDEX processing_withdrawal_requests ON withdrawal_requests USING btree (id)
    WHERE (state = ANY (ARRAY['claimed'::text, 'completing'::text]));
CREATE INDEX rejected_withdrawal_requests ON withdrawal_requests USING btree (id) WHERE
    (state = ANY (ARRAY['rejecting'::text, 'refused'::text, 'rejected'::text]));
CREATE UNIQUE INDEX unconfirmed_withdrawal_request ON withdrawal_requests USING btree
    (user_id) WHERE (state = 'unconfirmed'::text);
CREATE INDEX waiting_withdrawal_requests ON withdrawal_requests USING btree (id) WHERE
    (state = ANY (ARRAY['unconfirmed'::text, 'awaiting_recipient'::text, 'in_review'::text]));
CREATE INDEX withdrawal_fees ON withdrawal_requests USING btree (updated_at, id) WHERE
    ((kind = 'withdrawal'::text) AND (state = 'completed'::text) AND (fee_atoms > 0));
CREATE INDEX withdrawal_requests_by_address ON withdrawal_requests USING btree
    (address, id);
CREATE INDEX withdrawal_requests_by_description ON withdrawal_requests USING btree
    (description, id) WHERE (description <> ''::text);
CREATE INDEX withdrawal_requests_by_time ON withdrawal_requests USING btree
    (created_at, id);
CREATE INDEX withdrawal_requests_by_transaction ON withdrawal_requests USING btree
    (transaction_id);
CREATE INDEX withdrawal_requests_in_currency ON withdrawal_requests USING btree
    (currency, id);
CREATE INDEX withdrawal_requests_in_progress ON withdrawal_requests USING btree
    (currency) INCLUDE (user_id, amount_atoms, scale) WHERE ((kind = 'withdrawal'::text) AND
    (state <> ALL (ARRAY['completed'::text, 'refused'::text, 'canceled'::text,
    'dismissed'::text, 'rejected'::text, 'expired'::text])));
CREATE INDEX withdrawal_requests_of_actor ON withdrawal_requests USING btree (actor_id)
    WHERE (actor_id IS NOT NULL);
CREATE INDEX withdrawal_requests_of_user ON withdrawal_requests USING btree (user_id,
    id);
CREATE INDEX withdrawal_requests_of_user_by_time ON withdrawal_requests USING btree
    (user_id, created_at);
CREATE UNIQUE INDEX withdrawal_requests_signature_hash_key ON withdrawal_requests USING
    btree (signature_hash);
CREATE INDEX withdrawal_requests_to_address ON withdrawal_requests USING btree
    (lower(address), created_at);
CREATE INDEX withdrawal_requests_to_expire ON withdrawal_requests USING btree
    (expires_at) WHERE (state = ANY (ARRAY['unconfirmed'::text, 'awaiting_recipient'::text]));
