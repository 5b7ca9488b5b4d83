-- The end of the auction of a market; null if it has none.

alter table markets add column auction_ends_at timestamptz;
