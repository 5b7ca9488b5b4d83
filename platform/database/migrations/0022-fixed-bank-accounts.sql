-- The fields of a bank account never change, and a fiat withdrawal keeps those of its request.

-- The operator who entered the account; null if its owner did. Another operator verifies it.
alter table bank_accounts add column entered_by bigint references users (id);
create index bank_accounts_by_enterer on bank_accounts (entered_by) where entered_by is not null;

create function keep_bank_fields() returns trigger language plpgsql as $$
begin
  raise exception 'the fields of bank account % never change', old.id;
end $$;
create trigger bank_fields_stay before update of id, user_id, sealed, entered_by on bank_accounts
  for each row when (old.id <> new.id or old.user_id <> new.user_id or old.sealed <> new.sealed
    or old.entered_by is distinct from new.entered_by)
  execute function keep_bank_fields();

-- The sealed fields of the bank account in `address`, as they were at the request.
alter table withdrawal_requests add column bank_sealed bytea;
update withdrawal_requests w set bank_sealed = b.sealed from bank_accounts b
  where w.network = 'fiat' and b.id = w.address and b.user_id = w.user_id;

-- As before, and the copy of the bank account goes too.
create or replace function cut_requests_of_closed(of_user bigint) returns void
language plpgsql as $$
declare
  cut_email constant text := (select email from users where id = of_user and state = 'closed');
begin
  if cut_email is null then
    raise exception 'user % is not closed', of_user using errcode = 'insufficient_privilege';
  end if;
  update withdrawal_requests set description = '', bank_sealed = null,
    policy_input = case jsonb_typeof(policy_input -> 'session')
      when 'object' then policy_input || jsonb_build_object('session',
        policy_input -> 'session' || '{"country": "", "knownCountries": []}')
      else policy_input end,
    policy_lines = (
      select jsonb_agg(case line ->> 'rule' when 'new_country' then line || '{"facts": {}}'
        else line end order by at)
      from jsonb_array_elements(policy_lines) with ordinality as lines (line, at))
  where user_id = of_user;
  update deposit_requests set description = '' where user_id = of_user;
  update withdrawal_requests set address = 'erased-' || of_user || '@invalid'
  where address = cut_email and network = 'email';
  update deposit_requests set address = 'erased-' || of_user || '@invalid'
  where address = cut_email and network = 'email';
end
$$;
do $$
begin
  execute format('alter function cut_requests_of_closed(bigint) security definer '
    'set search_path = pg_catalog, %I, pg_temp', current_schema());
end
$$;
