-- The ledger by position. Frames and commands only grow, so both indexes are written at their end;
-- entries of one frame and one command share an index entry.

create index ledger_entries_in_frame on ledger_entries (frame, recorded_at);
create index ledger_entries_of_command on ledger_entries (command) where command > 0;
