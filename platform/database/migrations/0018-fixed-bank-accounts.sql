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
