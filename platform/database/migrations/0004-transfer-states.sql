-- One state for each request: domain/transfers/withdrawal-states.ts and deposit-states.ts say what
-- the states mean. `rejected` and `dismissed` follow from the state and are dropped. `processing`,
-- `waiting` and `onhold` are an operator's marks and stay columns.

drop index rejected_withdrawal_requests, dismissed_withdrawal_requests,
  processing_withdrawal_requests, waiting_withdrawal_requests,
  rejected_deposit_requests, dismissed_deposit_requests,
  waiting_deposit_requests, deposit_requests_by_cause;

alter table withdrawal_requests
  drop constraint withdrawal_requests_state_check,
  add column onhold boolean not null default false;
alter table deposit_requests
  drop constraint deposit_requests_state_check,
  add column onhold boolean not null default false;

-- A dismissed row does not say whether its user or an operator dismissed it. The wire shows both
-- alike.
update withdrawal_requests r set state = case
    when r.state = 'opened' then 'approved'
    when r.state = 'canceling' and r.rejected then 'rejecting'
    when r.state = 'canceled' and r.rejected then 'rejected'
    when r.state = 'requested' and r.kind <> 'withdrawal' and not exists (
      select from outbox o
      where o.withdrawal_request = r.id and o.command ->> 'kind' = 'OpenWithdrawal'
    ) then 'executing'
    else 'opening'
  end
where r.state in ('opened', 'requested')
  or r.state in ('canceling', 'canceled') and r.rejected;

-- Only operators could cancel a deposit.
update deposit_requests r set state = case
    when r.state = 'requested' then 'crediting'
    when r.rejected then 'rejected'
    else 'dismissed'
  end
where r.state in ('requested', 'canceled');

alter table withdrawal_requests
  drop column rejected,
  drop column dismissed,
  add check (
    state in (
      'unconfirmed', 'opening', 'executing', 'in_review', 'approved', 'claimed', 'completing',
      'canceling', 'dismissing', 'rejecting', 'expiring',
      'completed', 'refused', 'canceled', 'dismissed', 'rejected', 'expired'
    )
  );
alter table deposit_requests
  drop column rejected,
  drop column dismissed,
  add check (
    state in (
      'pending', 'in_review', 'crediting',
      'completed', 'refused', 'canceled', 'dismissed', 'rejected', 'expired'
    )
  );

create index processing_withdrawal_requests on withdrawal_requests (id)
  where processing or state in ('claimed', 'completing');
create index waiting_withdrawal_requests on withdrawal_requests (id)
  where waiting or state in ('unconfirmed', 'in_review');
create index rejected_withdrawal_requests on withdrawal_requests (id)
  where state in ('rejecting', 'refused', 'rejected');
create index dismissed_withdrawal_requests on withdrawal_requests (id)
  where state in ('canceling', 'dismissing', 'expiring', 'canceled', 'dismissed', 'expired');

create index waiting_deposit_requests on deposit_requests (id)
  where waiting or state in ('in_review');
create index rejected_deposit_requests on deposit_requests (id)
  where state in ('refused', 'rejected');
create index dismissed_deposit_requests on deposit_requests (id)
  where state in ('canceled', 'dismissed', 'expired');

-- A transaction is credited once, however often it is reported.
create unique index deposit_requests_by_cause
  on deposit_requests (transaction_id, currency, coalesce(network, ''), address)
  where state not in ('refused', 'canceled', 'dismissed', 'rejected', 'expired');
