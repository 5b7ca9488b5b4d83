-- The exchange whose log is in the tables; null until a projector of this release starts.

alter table projection add column exchange_id text;
