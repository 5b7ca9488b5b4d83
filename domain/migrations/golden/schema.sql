create table api_keys (
  id bigint not null,
  user_id bigint not null,
  name text not null,
  public_key text not null,
  kind text not null,
  sealed_secret bytea not null,
  sealed_data_key bytea not null,
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

create table channels (
  channel bigint not null,
  last_assigned bigint not null,
  constraint channels_channel_check CHECK (channel > 0),
  constraint channels_last_assigned_check CHECK (last_assigned >= 0),
  constraint channels_pkey PRIMARY KEY (channel)
);

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
CREATE INDEX deposit_requests_by_address ON deposit_requests USING btree (address, id);
CREATE UNIQUE INDEX deposit_requests_by_cause ON deposit_requests USING btree
    (transaction_id, currency, COALESCE(network, ''::text), address) WHERE (state <> ALL
    (ARRAY['refused'::text, 'canceled'::text, 'dismissed'::text, 'rejected'::text,
    'expired'::text]));
CREATE INDEX deposit_requests_by_time ON deposit_requests USING btree (created_at, id);
CREATE INDEX deposit_requests_by_transaction ON deposit_requests USING btree
    (transaction_id);
CREATE INDEX deposit_requests_in_currency ON deposit_requests USING btree (currency,
    id);
CREATE INDEX deposit_requests_of_user ON deposit_requests USING btree (user_id, id);
CREATE INDEX deposit_requests_of_user_by_time ON deposit_requests USING btree (user_id,
    created_at);
CREATE INDEX dismissed_deposit_requests ON deposit_requests USING btree (id) WHERE
    (state = ANY (ARRAY['canceled'::text, 'dismissed'::text, 'expired'::text]));
CREATE INDEX open_deposit_requests ON deposit_requests USING btree (id) WHERE (state <>
    'completed'::text);
CREATE INDEX processing_deposit_requests ON deposit_requests USING btree (id) WHERE
    processing;
CREATE INDEX rejected_deposit_requests ON deposit_requests USING btree (id) WHERE
    (state = ANY (ARRAY['refused'::text, 'rejected'::text]));
CREATE INDEX waiting_deposit_requests ON deposit_requests USING btree (id) WHERE
    (waiting OR (state = 'in_review'::text));

create table kit (
  is_only boolean not null default true,
  content jsonb not null,
  updated_at timestamp with time zone not null default now(),
  constraint kit_content_check CHECK (jsonb_typeof(content) = 'object'::text),
  constraint kit_is_only_check CHECK (is_only),
  constraint kit_pkey PRIMARY KEY (is_only)
);

create table migrations (
  number bigint not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (number)
);

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
  constraint outbox_channel_fkey FOREIGN KEY (channel) REFERENCES channels(channel),
  constraint outbox_check CHECK ((state = 'waiting'::text) = (settled_at IS NULL)),
  constraint outbox_check1 CHECK ((state = 'waiting'::text) = (frame IS NULL)),
  constraint outbox_check2 CHECK ((state = 'refused'::text) = (refusal IS NOT NULL)),
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

create table quick_trade (
  symbol text not null,
  type text not null default 'pro'::text,
  active boolean not null default true,
  updated_at timestamp with time zone not null default now(),
  constraint quick_trade_pkey PRIMARY KEY (symbol),
  constraint quick_trade_symbol_check CHECK (symbol ~ '^[a-z0-9]{1,15}-[a-z0-9]{1,15}$'::text),
  constraint quick_trade_type_check CHECK (type = 'pro'::text)
);

create table roles (
  name text not null,
  permissions text[] not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint roles_name_check CHECK (name ~ '^[a-z][a-z0-9_-]{0,47}$'::text AND name <>
    'user'::text),
  constraint roles_pkey PRIMARY KEY (name)
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
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_token_hash_check CHECK (length(token_hash) = 32),
  constraint sessions_token_hash_key UNIQUE (token_hash),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX sessions_of_user ON sessions USING btree (user_id, id);
CREATE UNIQUE INDEX sessions_token_hash_key ON sessions USING btree (token_hash);

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

create table users (
  id bigint not null,
  email text not null,
  username text not null,
  full_name text not null default ''::text,
  gender boolean not null default false,
  nationality text not null default ''::text,
  dob timestamp with time zone,
  phone_number text not null default ''::text,
  address jsonb not null default '{"city": "", "address": "", "country": "", "postal_code":
    ""}'::jsonb,
  id_data jsonb not null default '{"type": "", "number": "", "status": 0, "issued_date": null,
    "expiration_date": null}'::jsonb,
  bank_account jsonb not null default '[]'::jsonb,
  crypto_wallet jsonb not null default '{}'::jsonb,
  verification_level bigint not null default 1,
  email_verified boolean not null default false,
  otp_enabled boolean not null default false,
  activated boolean not null default true,
  affiliation_code text not null,
  affiliation_rate numeric not null default 0,
  settings jsonb not null default '{"chat": {"set_username": false}, "risk": {"popup_warning":
    true, "order_portfolio_percentage": 90}, "audio": {"all": true, "order_placed": true,
    "public_trade": false, "click_amounts": true, "order_canceled": true, "order_completed":
    true, "quick_trade_success": true, "quick_trade_timeout": true, "get_quote_quick_trade":
    true, "order_partially_completed": true}, "language": "en", "interface": {"theme": "white",
    "display_currency": "usdt", "order_book_levels": 10}, "watchlist": [], "notification":
    {"popup_order_new": true, "popup_order_canceled": true, "popup_order_completed": true,
    "popup_order_confirmation": true, "popup_order_partially_filled": true}}'::jsonb,
  discount numeric not null default 0,
  meta jsonb not null default '{}'::jsonb,
  note text not null default ''::text,
  flagged boolean not null default false,
  role text,
  withdrawal_blocked_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint users_affiliation_code_check CHECK (affiliation_code ~ '^[A-Z0-9]{6}$'::text),
  constraint users_affiliation_code_key UNIQUE (affiliation_code),
  constraint users_affiliation_rate_check CHECK (affiliation_rate >= 0::numeric),
  constraint users_discount_check CHECK (discount >= 0::numeric AND discount <= 100::numeric),
  constraint users_email_check CHECK (length(email) >= 3 AND length(email) <= 254 AND email ~~
    '%_@_%'::text),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_role_fkey FOREIGN KEY (role) REFERENCES roles(name),
  constraint users_verification_level_check CHECK (verification_level >= 0)
);
CREATE UNIQUE INDEX users_affiliation_code_key ON users USING btree (affiliation_code);
CREATE UNIQUE INDEX users_by_email ON users USING btree (lower(email));

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
CREATE INDEX wallets_by_address ON wallets USING btree (address);
CREATE INDEX wallets_of_user ON wallets USING btree (user_id, currency, network);

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
  processing boolean not null default false,
  waiting boolean not null default false,
  description text not null default ''::text,
  signature_hash bytea,
  key_id bigint not null default 0,
  verdict_input jsonb,
  refusal text,
  command bigint,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  onhold boolean not null default false,
  constraint withdrawal_requests_amount_atoms_check CHECK (amount_atoms > 0),
  constraint withdrawal_requests_fee_atoms_check CHECK (fee_atoms >= 0),
  constraint withdrawal_requests_kind_check CHECK (kind = ANY (ARRAY['withdrawal'::text,
    'burn'::text, 'transfer'::text])),
  constraint withdrawal_requests_pkey PRIMARY KEY (id),
  constraint withdrawal_requests_signature_hash_key UNIQUE (signature_hash),
  constraint withdrawal_requests_state_check CHECK (state = ANY (ARRAY['unconfirmed'::text,
    'opening'::text, 'executing'::text, 'in_review'::text, 'approved'::text, 'claimed'::text,
    'completing'::text, 'canceling'::text, 'dismissing'::text, 'rejecting'::text,
    'expiring'::text, 'completed'::text, 'refused'::text, 'canceled'::text, 'dismissed'::text,
    'rejected'::text, 'expired'::text])),
  constraint withdrawal_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX dismissed_withdrawal_requests ON withdrawal_requests USING btree (id)
    WHERE (state = ANY (ARRAY['canceling'::text, 'dismissing'::text, 'expiring'::text,
    'canceled'::text, 'dismissed'::text, 'expired'::text]));
CREATE INDEX open_withdrawal_requests ON withdrawal_requests USING btree (id) WHERE
    (state <> 'completed'::text);
CREATE INDEX processing_withdrawal_requests ON withdrawal_requests USING btree (id)
    WHERE (processing OR (state = ANY (ARRAY['claimed'::text, 'completing'::text])));
CREATE INDEX rejected_withdrawal_requests ON withdrawal_requests USING btree (id) WHERE
    (state = ANY (ARRAY['rejecting'::text, 'refused'::text, 'rejected'::text]));
CREATE INDEX waiting_withdrawal_requests ON withdrawal_requests USING btree (id) WHERE
    (waiting OR (state = ANY (ARRAY['unconfirmed'::text, 'in_review'::text])));
CREATE INDEX withdrawal_requests_by_address ON withdrawal_requests USING btree
    (address, id);
CREATE INDEX withdrawal_requests_by_time ON withdrawal_requests USING btree
    (created_at, id);
CREATE INDEX withdrawal_requests_by_transaction ON withdrawal_requests USING btree
    (transaction_id);
CREATE INDEX withdrawal_requests_in_currency ON withdrawal_requests USING btree
    (currency, id);
CREATE INDEX withdrawal_requests_of_user ON withdrawal_requests USING btree (user_id,
    id);
CREATE INDEX withdrawal_requests_of_user_by_time ON withdrawal_requests USING btree
    (user_id, created_at);
CREATE UNIQUE INDEX withdrawal_requests_signature_hash_key ON withdrawal_requests USING
    btree (signature_hash);
