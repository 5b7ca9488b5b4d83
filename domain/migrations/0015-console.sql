-- The operator's eyes and hands: switches, health, surveillance, exports.

-- ---- Switches ---------------------------------------------------------------------------------

-- ---- Health -----------------------------------------------------------------------------------

-- ---- Search, timeline, exports ----------------------------------------------------------------

-- ---- Ledger and fees --------------------------------------------------------------------------

-- ---- Reviews of withdrawals -------------------------------------------------------------------

-- A single operator approves a second time, a day after the first.
alter table withdrawal_requests add column first_approved_at timestamptz;

-- ---- Surveillance -----------------------------------------------------------------------------

-- ---- Roles ------------------------------------------------------------------------------------

