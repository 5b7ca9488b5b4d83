-- Ledger entries are five of an order's eight rows, so every byte of their indexes counts. Readers
-- need the entries of an account by time; entries with the same time are sorted when they are read.
-- The projector's cursor prevents duplicates, and the reconciler finds them.

create index ledger_entries_of_account on ledger_entries (owner, asset_id, recorded_at);
alter table ledger_entries drop constraint ledger_entries_pkey;

-- Commands only grow, so their place in the table is enough for the lookup of one command.

drop index ledger_entries_of_command;
create index ledger_entries_of_command on ledger_entries using brin (command)
  with (pages_per_range = 64, autosummarize = on) where command > 0;
