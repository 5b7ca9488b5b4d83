-- Who is known to the exchange, and by what they show that it is they. Secrets of keys are sealed,
-- of sessions only a hash is here: whoever reads these tables can sign nothing.

create table roles (
  name text primary key check (name ~ '^[a-z][a-z0-9_-]{0,47}$' and name <> 'user'),
  -- What the role may call, as `path:method` without the prefix; `*` is everything.
  permissions text[] not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

insert into roles (name, permissions) values
  ('admin', array['*']),
  ('supervisor', array[
    '/admin/exchange:get', '/admin/kit:get', '/admin/users:get', '/admin/user:put',
    '/admin/user/meta:put', '/admin/user/note:put', '/admin/user/balance:get',
    '/admin/user/bank:post', '/admin/bank/verify:post', '/admin/bank/revoke:post',
    '/admin/user/activate:post', '/admin/user/affiliation:get', '/admin/user/referer:get',
    '/admin/user/wallet:get', '/admin/user/sessions:get', '/admin/user/revoke-session:post',
    '/admin/user/disable-withdrawal:post', '/admin/upgrade-user:post', '/admin/verify-email:post',
    '/admin/deactivate-otp:post', '/admin/flag-user:post', '/admin/logins:get',
    '/admin/audits:get', '/admin/balance:get', '/admin/balances:get', '/admin/orders:get',
    '/admin/order:delete', '/admin/trades:get', '/admin/deposits:get', '/admin/withdrawals:get',
    '/admin/check-transaction:get'
  ]),
  ('support', array[
    '/admin/exchange:get', '/admin/kit:get', '/admin/users:get', '/admin/user/note:put',
    '/admin/user/balance:get', '/admin/user/affiliation:get', '/admin/user/referer:get',
    '/admin/user/wallet:get', '/admin/logins:get', '/admin/orders:get', '/admin/trades:get',
    '/admin/deposits:get', '/admin/withdrawals:get', '/admin/check-transaction:get'
  ]),
  ('kyc', array[
    '/admin/exchange:get', '/admin/kit:get', '/admin/users:get', '/admin/user:put',
    '/admin/user/note:put', '/admin/user/meta:put', '/admin/user/bank:post',
    '/admin/bank/verify:post', '/admin/bank/revoke:post', '/admin/upgrade-user:post',
    '/admin/flag-user:post', '/admin/logins:get'
  ]),
  ('communicator', array[
    '/admin/exchange:get', '/admin/kit:get', '/admin/kit:put', '/admin/upload:post'
  ]);

create table users (
  -- The engine knows a user by this number, which has 31 bits there.
  id bigint generated always as identity (start with 1 maxvalue 2147483647) primary key,
  email text not null check (length(email) between 3 and 254 and email like '%_@_%'),
  username text not null,
  full_name text not null default '',
  -- As on the wire: false and true stand for male and female.
  gender boolean not null default false,
  nationality text not null default '',
  dob timestamptz,
  phone_number text not null default '',
  address jsonb not null default '{"city": "", "address": "", "country": "", "postal_code": ""}',
  id_data jsonb not null default
    '{"type": "", "number": "", "issued_date": null, "expiration_date": null, "status": 0}',
  bank_account jsonb not null default '[]',
  crypto_wallet jsonb not null default '{}',
  verification_level bigint not null default 1 check (verification_level >= 0),
  email_verified boolean not null default false,
  otp_enabled boolean not null default false,
  activated boolean not null default true,
  affiliation_code text not null unique check (affiliation_code ~ '^[A-Z0-9]{6}$'),
  affiliation_rate numeric not null default 0 check (affiliation_rate >= 0),
  settings jsonb not null default '{
    "notification": {
      "popup_order_confirmation": true, "popup_order_completed": true,
      "popup_order_partially_filled": true, "popup_order_new": true, "popup_order_canceled": true
    },
    "interface": {"order_book_levels": 10, "theme": "white", "display_currency": "usdt"},
    "language": "en",
    "audio": {
      "all": true, "order_completed": true, "order_partially_completed": true,
      "public_trade": false, "order_placed": true, "order_canceled": true,
      "click_amounts": true, "get_quote_quick_trade": true, "quick_trade_success": true,
      "quick_trade_timeout": true
    },
    "risk": {"order_portfolio_percentage": 90, "popup_warning": true},
    "chat": {"set_username": false},
    "watchlist": []
  }',
  discount numeric not null default 0 check (discount between 0 and 100),
  meta jsonb not null default '{}',
  note text not null default '',
  flagged boolean not null default false,
  -- Null is an ordinary user.
  role text references roles (name),
  -- No withdrawal before this moment: a password, a second factor or a key has just been changed.
  withdrawal_blocked_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index users_by_email on users (lower(email));

-- Where a user's deposits arrive.
create table wallets (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  currency text not null,
  address text not null,
  network text not null,
  standard text,
  is_valid boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index wallets_of_user on wallets (user_id, currency, network);
create index wallets_by_address on wallets (address);

create table api_keys (
  -- The engine knows a key by this number, which has 32 bits there.
  id bigint generated by default as identity (start with 1 maxvalue 4294967295) primary key,
  user_id bigint not null references users (id),
  name text not null check (length(name) between 1 and 64),
  -- What its owner sends to say which key it is. Not a secret.
  public_key text not null unique check (public_key ~ '^[0-9a-f]{40}$'),
  kind text not null check (kind in ('hmac', 'ed25519')),
  -- The secret, or the verifying key, encrypted with the data key and bound to this row's id,
  -- user, kind and scopes; the data key encrypted with a key that is not in this database.
  sealed_secret bytea not null,
  sealed_data_key bytea not null,
  -- Readable for its owner; the sealed one is what counts.
  verifying_key text check ((verifying_key is not null) = (kind = 'ed25519')),
  can_read boolean not null default true,
  can_trade boolean not null default false,
  can_withdraw boolean not null default false,
  role text not null default 'user' check (role in ('user', 'admin')),
  whitelisted_ips text[] not null default '{}',
  whitelisting_enabled boolean not null default false,
  active boolean not null default true,
  revoked boolean not null default false,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);

create index api_keys_of_user on api_keys (user_id, id);

create table sessions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  token_hash bytea not null unique check (length(token_hash) = 32),
  -- `user`, and the role's name where the session may use it.
  scopes text[] not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_seen_at timestamptz,
  created_at timestamptz not null default now()
);

create index sessions_of_user on sessions (user_id, id);
