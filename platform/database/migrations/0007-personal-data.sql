-- Personal data apart from the users, each person's under a key of their own: to erase a person is
-- to destroy the key, also in every copy of these tables. A user has rows only if there are data.

create table personal_keys (
  user_id bigint primary key references users (id) on delete cascade,
  -- The person's key, encrypted with a key-encryption key; null once it is destroyed.
  kek_id bigint,
  sealed bytea,
  -- Destruction is final: no later write makes a new key.
  destroyed_at timestamptz,
  check ((kek_id is null) = (sealed is null)),
  check ((sealed is null) = (destroyed_at is not null))
);

create table personal_data (
  user_id bigint primary key references personal_keys (user_id) on delete cascade,
  -- Counts writes. The sealed data are bound to it, so an old copy does not open.
  version bigint not null check (version > 0),
  -- JSON, encrypted with the person's key.
  sealed bytea not null
);

-- No release had a way to write these columns, so nothing is lost. The seed of the sandbox wrote
-- full names of invented people; it writes them again.
do $$
begin
  if exists (
    select from users where nationality <> '' or dob is not null or phone_number <> ''
      or bank_account <> '[]' or crypto_wallet <> '{}' or id_data ->> 'number' <> ''
      or address ->> 'address' <> ''
  ) then
    raise exception 'users has personal data that no release of Rialto wrote (expected none); '
      'move them to another table first';
  end if;
end
$$;

alter table users
  drop column full_name,
  drop column gender,
  drop column nationality,
  drop column dob,
  drop column phone_number,
  drop column address,
  drop column id_data,
  drop column bank_account,
  drop column crypto_wallet;

-- added: every process reads it into memory before the first row is sealed with it.
alter table key_encryption_keys
  drop constraint key_encryption_keys_state_check,
  add check (state in ('added', 'active', 'retiring', 'retired')),
  add column state_since timestamptz not null default now();

-- Erasure finds the mails and the invitation of a person.
create index mails_of_user on mail_outbox (user_id) where user_id is not null;
create index invitations_used on invitations (used_by) where used_by is not null;
