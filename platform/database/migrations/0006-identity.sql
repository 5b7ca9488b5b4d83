-- How people prove who they are: passwords, second factors, codes sent by mail, devices, sessions.
-- A reader of these tables can log in as nobody: secrets are sealed or hashed, and short codes are
-- keyed with a key that is not in this database.

-- The key-encryption keys that seal rows, by number. The keys themselves are in a file.
create table key_encryption_keys (
  kek_id bigint primary key check (kek_id > 0),
  -- SHA-256 of the key, shortened: finds a wrong file before it seals anything.
  fingerprint text not null,
  -- active: seals new rows. retiring: still opens old rows. retired: no row uses it.
  state text not null check (state in ('active', 'retiring', 'retired')),
  created_at timestamptz not null default now()
);

create unique index only_active_kek on key_encryption_keys (state) where state = 'active';

alter table users
  add column state text not null default 'active'
    check (state in ('unverified', 'active', 'frozen', 'closing', 'closed', 'erased')),
  add column kind text not null default 'person'
    check (kind in ('person', 'sub', 'virtual', 'house')),
  add column parent_id bigint references users (id),
  -- Counts changes of role, password, second factor and e-mail; sessions of earlier ones are dead.
  add column security_version bigint not null default 1,
  add column block_reason text,
  -- Withdrawals go only to addresses in the address book.
  add column book_only boolean not null default false,
  add column has_chosen_username boolean not null default false,
  -- When the present state began; closing accounts close 14 days later.
  add column state_since timestamptz not null default now(),
  add check ((parent_id is not null) = (kind in ('sub', 'virtual')));

update users set state = 'frozen' where not activated;

alter table users
  drop column activated,
  drop column email_verified,
  -- A second factor exists if it has a row in totp_secrets or passkeys.
  drop column otp_enabled;

create unique index users_by_chosen_username on users (lower(username)) where has_chosen_username;
create index users_in_passing_states on users (state, state_since)
  where state in ('unverified', 'closing', 'closed');

create table passwords (
  user_id bigint primary key references users (id) on delete cascade,
  -- Parameters of argon2id; memory in KiB.
  salt bytea not null check (length(salt) = 16),
  memory bigint not null,
  passes bigint not null,
  lanes bigint not null,
  kek_id bigint not null,
  sealed_tag bytea not null,
  changed_at timestamptz not null default now()
);

create table totp_secrets (
  user_id bigint primary key references users (id) on delete cascade,
  kek_id bigint not null,
  sealed_secret bytea not null,
  -- pending: shown to its owner, who has not proven it yet; ends after 10 minutes.
  state text not null check (state in ('pending', 'active')),
  -- The last time step whose code was accepted: a code counts once.
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);

create table passkeys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  credential_id bytea not null unique,
  public_key bytea not null,
  sign_count bigint not null default 0,
  is_backup_eligible boolean not null default false,
  is_backed_up boolean not null default false,
  transports text[] not null default '{}',
  aaguid text not null default '',
  name text not null default '',
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);

create index passkeys_of_user on passkeys (user_id, id);

create table recovery_codes (
  user_id bigint not null references users (id) on delete cascade,
  -- SHA-256; the codes have 120 random bits, so nobody can search for them.
  code_hash bytea not null check (length(code_hash) = 32),
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Challenges carry their own proof; only used ones are stored, so that each counts once.
create table spent_challenges (
  hash bytea primary key check (length(hash) = 32),
  expires_at timestamptz not null
);

create index spent_challenges_by_expiry on spent_challenges (expires_at);

-- Codes that were sent by mail. One row for each user and purpose: a new code replaces the old one.
create table codes (
  user_id bigint not null references users (id) on delete cascade,
  purpose text not null,
  -- v2: a link with 122 random bits; v3: AA-12345; v4: six digits; v5: 20 characters.
  form text not null check (form in ('v2', 'v3', 'v4', 'v5')),
  -- Keyed, over purpose, user and code.
  code_mac bytea not null check (length(code_mac) = 32),
  -- Short codes count only in the flow that requested them: a session, a cookie, a network.
  flow_hash bytea check (length(flow_hash) = 32),
  network text not null default '',
  session_id bigint,
  -- What the code confirms, sealed and fixed when it was sent: a password that waits, an address.
  kek_id bigint,
  sealed_payload bytea,
  tries bigint not null default 0,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (user_id, purpose),
  check ((kek_id is null) = (sealed_payload is null))
);

create index codes_by_mac on codes (code_mac);
create index codes_by_flow on codes (flow_hash, purpose) where flow_hash is not null;
create index codes_by_network on codes (network, purpose, created_at);

create table devices (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  -- Of the device's cookie; null for clients without cookies, which are known by their network.
  token_hash bytea unique check (length(token_hash) = 32),
  network text not null,
  country text not null default '',
  user_agent text not null default '',
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  revoked_at timestamptz
);

create index devices_of_user on devices (user_id, id);
create unique index devices_by_network on devices (user_id, network)
  where token_hash is null and revoked_at is null;

-- Every attempt to log in; appended only. Kept for 13 months, in one partition for each month.
create table logins (
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  user_id bigint,
  -- Of the typed address, which need not belong to an account.
  email_mac bytea not null,
  outcome text not null,
  ip text not null,
  country text not null default '',
  device_id bigint,
  user_agent text not null default '',
  primary key (id, created_at)
) partition by range (created_at);

create table logins_default partition of logins default;
create index logins_of_user on logins (user_id, id);

alter table sessions
  add column kind text not null default 'login' check (kind in ('login', 'sub', 'shared')),
  -- Who acts, if it is not the user: the owner of a sub-account, a guest of a shared one.
  add column actor_id bigint references users (id),
  add column device_id bigint,
  add column login_id bigint,
  add column security_version bigint not null default 1,
  -- When a password or second factor was last proven in it.
  add column strong_at timestamptz,
  -- Ends after this much time without a request; null: only at its expiry.
  add column idle_seconds bigint check (idle_seconds > 0),
  add column ip text not null default '',
  add column user_agent text not null default '',
  add column revoked_reason text;

create index live_sessions_of_user on sessions (user_id, id) where revoked_at is null;

-- Failed attempts, by account, address or device, also of accounts that do not exist.
create table login_throttles (
  scope text not null check (scope in ('account', 'address', 'device', 'factor')),
  subject_mac bytea not null check (length(subject_mac) = 32),
  failures bigint not null default 0,
  window_start timestamptz not null default now(),
  blocked_until timestamptz,
  primary key (scope, subject_mac)
);

create index login_throttles_by_age on login_throttles (window_start);

create table invitations (
  code_hash bytea primary key check (length(code_hash) = 32),
  -- Only this address may use it; null for any.
  email text,
  created_by bigint references users (id),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_by bigint references users (id) on delete set null
);

alter table api_keys
  add column kek_id bigint not null default 1,
  -- One column holds the sealed data key, then what it encrypts.
  add column sealed bytea,
  add column withdraw_granted_at timestamptz,
  add column book_only boolean not null default false,
  add column suspended_reason text;

update api_keys set sealed = sealed_data_key || sealed_secret;
update api_keys set withdraw_granted_at = created_at where can_withdraw;

alter table api_keys
  alter column sealed set not null,
  alter column kek_id drop default,
  drop column sealed_secret,
  drop column sealed_data_key;

-- Mails, each written in the transaction of its cause.
create table mail_outbox (
  id bigint generated always as identity primary key,
  user_id bigint references users (id) on delete cascade,
  kind text not null,
  language text not null,
  -- Of the address, to count the mails that it gets.
  recipient_mac bytea not null check (length(recipient_mac) = 32),
  -- The address and the values of the template; emptied when the mail has been sent.
  kek_id bigint,
  sealed bytea,
  -- A second mail with the same key is not written.
  dedupe_key text unique,
  -- Fixed before the first attempt, so that a repeated mail can be recognised.
  message_id text not null unique,
  state text not null default 'waiting'
    check (state in ('waiting', 'sending', 'sent', 'deferred', 'failed', 'suppressed', 'expired')),
  attempts bigint not null default 0,
  next_at timestamptz not null default now(),
  expires_at timestamptz,
  error text,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  check ((kek_id is null) = (sealed is null))
);

create index mails_to_send on mail_outbox (next_at, id)
  where state in ('waiting', 'sending', 'deferred');
create index mails_by_recipient on mail_outbox (recipient_mac, created_at);
create index mails_by_age on mail_outbox (settled_at) where settled_at is not null;
