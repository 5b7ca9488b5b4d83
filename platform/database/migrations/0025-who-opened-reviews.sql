-- A review shows personal data to operators other than the one who opened it, and every role that
-- reads users has a budget.

-- The operator who last changed the status of the document; null: unknown, or the user.
alter table personal_data add column document_by bigint references users (id);
create index personal_data_by_reviewer on personal_data (document_by)
  where document_by is not null;
-- The operator who last wrote the detail; null if its user did.
alter table payment_details add column written_by bigint references users (id);
create index payment_details_by_writer on payment_details (written_by)
  where written_by is not null;

update roles set lookups_per_day = 500 where name = 'kyc' and lookups_per_day is null;
update roles set lookups_per_hour = 300, lookups_per_day = 2000
  where name = 'supervisor' and lookups_per_hour is null and lookups_per_day is null;
update roles set lookups_per_hour = 600, lookups_per_day = 4000
  where name = 'admin' and lookups_per_hour is null and lookups_per_day is null;
