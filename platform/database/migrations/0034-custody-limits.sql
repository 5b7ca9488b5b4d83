-- Limits of custody that its own processes cannot change: credits that the dispatcher has sent, and
-- claims that only the payer of custody can release.

-- Credits from chains that the dispatcher sent without a review, for the limit of an hour. The
-- watcher cannot write here.
create table custody_credits (
  channel bigint not null,
  sequence bigint not null,
  network text not null,
  asset_id bigint not null,
  atoms numeric not null check (atoms > 0),
  at timestamptz not null default now(),
  primary key (channel, sequence)
);
create index custody_credits_recent on custody_credits (network, asset_id, at);
create index custody_credits_by_time on custody_credits (at);

-- An operator releases and completes claims of operators only.
alter table withdrawal_requests
  add column claimed_for text check (claimed_for in ('operator', 'custody'));
update withdrawal_requests set claimed_for = 'operator' where claimed_at is not null;

-- Operators who see reconciliation see custody, and those who credit deposits attribute them.
update roles set permissions = permissions || '{/admin/custody:get}'
  where name in ('supervisor', 'manager', 'auditor');
update roles set permissions = permissions || '{/admin/custody/attribute:post}'
  where name = 'manager';
