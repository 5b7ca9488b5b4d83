-- Safeguards of operators' acts: currency of the thresholds, sealed requests, indexes of lists.

-- ---- Approvals --------------------------------------------------------------------------------

-- Of all thresholds: of operators' acts, of the withdrawal policy, the ceilings of roles.
alter table exchange_control add column currency text not null default 'usdt'
  check (currency ~ '^[a-z0-9]{1,15}$');
update exchange_control set currency = found.currency
  from (select coalesce(
    (select nullif(content ->> 'currency', '') from withdrawal_policy_settings),
    (select symbol from coins where symbol = 'usdt'),
    (select content ->> 'native_currency' from kit)) as currency) found
  where found.currency ~ '^[a-z0-9]{1,15}$';
update withdrawal_policy_settings set content = content - 'currency';

-- Personal values of a request, sealed under a key of its own.
alter table approval_requests
  add column sealed bytea,
  -- Whom the sealed values concern; the erasure of one of them deletes the key.
  add column subjects bigint[] not null default '{}';
create index approval_requests_of_subject on approval_requests using gin (subjects)
  where sealed is not null;
create table approval_keys (
  request_id bigint primary key references approval_requests (id),
  kek_id bigint not null,
  sealed bytea not null
);

-- Requests from before had them in clear.
update approval_requests set state = 'stale', reason = 'upgraded', ended_at = now()
  where state = 'pending';
alter table approval_requests disable trigger keep_approval_payload;
update approval_requests set
  payload = payload - array['address', 'description', 'title', 'message', 'sealed', 'sealedEmail',
    'maskedEmail'],
  shown = (
    select coalesce(jsonb_agg(case
        when line ->> 'label' in ('To address', 'New e-mail', 'Subject', 'Text')
          then jsonb_build_object('label', line -> 'label', 'value', '', 'isPersonal', true)
        else line end order by at), '[]')
    from jsonb_array_elements(shown) with ordinality as lines (line, at));
alter table approval_requests enable trigger keep_approval_payload;

create or replace function keep_approval_payload() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.state <> 'pending' or (
      new.act, new.vote_power, new.payload, new.payload_hash, new.shown, new.sealed, new.subjects,
      new.object, new.object_version, new.value, new.retype, new.requester_id, new.requester_role,
      new.requester_credential, new.requester_address, new.beneficiaries, new.needed,
      new.executes_at, new.created_at, new.expires_at
    ) is distinct from (
      old.act, old.vote_power, old.payload, old.payload_hash, old.shown, old.sealed, old.subjects,
      old.object, old.object_version, old.value, old.retype, old.requester_id, old.requester_role,
      old.requester_credential, old.requester_address, old.beneficiaries, old.needed,
      old.executes_at, old.created_at, old.expires_at
    ) then
    raise exception 'a request for approval does not change' using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- ---- Money ------------------------------------------------------------------------------------

-- Commands that the projected tables do not show yet.
create index accepted_engine_commands on engine_commands (kind, frame) where state = 'accepted';

-- ---- Access -----------------------------------------------------------------------------------

-- ---- People -----------------------------------------------------------------------------------

-- The same person counts once an hour in the budget of an operator, in however many lists.
alter table data_lookups add column counts boolean not null default true;

-- Those who read many people, but not for ever.
update roles set lookups_per_hour = 300, lookups_per_day = 2000
  where name in ('manager', 'auditor') and lookups_per_hour is null and lookups_per_day is null;

-- Whole lists with personal data: other people approve each, and it is used once.
update roles set powers = array_append(powers, 'export.personal')
  where name = 'admin' and not powers @> array['export.personal'];
create table personal_exports (
  id bigint generated always as identity primary key,
  operator_id bigint not null references users (id),
  list text not null,
  -- Of everything that was asked for.
  query_hash bytea not null check (length(query_hash) = 32),
  allowed_at timestamptz not null,
  used_at timestamptz
);
create index personal_exports_of_operator on personal_exports (operator_id, id);

-- The list of operators among many users.
create index operators on users (id) where role is not null;

-- ---- Staking ----------------------------------------------------------------------------------
