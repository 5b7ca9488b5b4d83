-- One network does not use up the mails of a recipient.

-- Keyed hash of the network that requested the mail; null for kinds without such a budget.
alter table mail_outbox add column requested_from bytea;
