-- Control modes solo and team, what keys are trusted with, and whose key moved money.

-- ---- Mode -------------------------------------------------------------------------------------

-- solo: an administrator acts alone. team: actions of weight need other operators.
drop trigger keep_setup_ended on exchange_control;
drop function keep_setup_ended();
alter table exchange_control
  drop constraint exchange_control_mode_check,
  drop column setup_ended_at,
  drop column single_operator_from,
  -- Administrators get an email about each movement of this value or more.
  add column notify_from numeric not null default 10000
    check (notify_from >= 0 and notify_from < 'Infinity'),
  -- When a change from team to solo takes effect.
  add column solo_from timestamptz;
update exchange_control set mode = case mode when 'normal' then 'team' else 'solo' end;
alter table exchange_control
  alter column mode set default 'solo',
  add check (mode in ('solo', 'team')),
  add check (mode = 'team' or solo_from is null);

-- The 24 hours hold even for a stolen database login.
create function keep_team() returns trigger language plpgsql as $$
begin
  if new.mode = 'solo' and old.mode = 'team' then
    if old.solo_from is null or old.solo_from > now() then
      raise exception 'team mode ends 24 hours after its notice'
        using errcode = 'check_violation';
    end if;
    new.solo_from := null;
  elsif new.solo_from is distinct from old.solo_from
    and new.solo_from < now() + interval '24 hours' then
    raise exception 'team mode ends 24 hours after its notice'
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger keep_team before update on exchange_control for each row
  execute function keep_team();

-- ---- Time locks -------------------------------------------------------------------------------

update approval_requests set state = 'stale', reason = 'upgraded', ended_at = now()
  where state = 'pending' and executes_at is not null;

create or replace function keep_approval_payload() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.state <> 'pending' or (
      new.act, new.vote_power, new.payload, new.payload_hash, new.shown, new.sealed, new.subjects,
      new.object, new.object_version, new.value, new.retype, new.requester_id, new.requester_role,
      new.requester_credential, new.requester_address, new.beneficiaries, new.needed,
      new.created_at, new.expires_at
    ) is distinct from (
      old.act, old.vote_power, old.payload, old.payload_hash, old.shown, old.sealed, old.subjects,
      old.object, old.object_version, old.value, old.retype, old.requester_id, old.requester_role,
      old.requester_credential, old.requester_address, old.beneficiaries, old.needed,
      old.created_at, old.expires_at
    ) then
    raise exception 'a request for approval does not change' using errcode = 'check_violation';
  end if;
  return new;
end $$;
alter table approval_requests drop column executes_at;
alter table withdrawal_requests drop column first_approved_at;

-- ---- Keys -------------------------------------------------------------------------------------

-- What operators trust a key with.
create table key_grants (
  key_id bigint primary key references api_keys (id),
  -- In the currency of the thresholds, within 24 hours; null: the key is not trusted with money,
  -- and not limited either.
  daily_limit numeric check (daily_limit >= 0 and daily_limit < 'Infinity'),
  may_read_personal boolean not null default false,
  granted_at timestamptz not null default now(),
  granted_by bigint not null references users (id)
);
create index key_grants_of_operator on key_grants (granted_by);

update roles set permissions = permissions || '{/admin/key-grants:get}'
  where name in ('supervisor', 'auditor');

alter table operator_movements
  -- `key 12` or `session 34`; null in rows of older releases.
  add column credential text,
  -- False: within the daily limit of a key, or by an administrator in solo mode. Thresholds do not
  -- count it.
  add column is_counted boolean not null default true,
  -- In solo mode, an administrator moves what has no price.
  drop constraint operator_movements_check;
create index operator_movements_of_credential on operator_movements (credential, at)
  where credential is not null;
