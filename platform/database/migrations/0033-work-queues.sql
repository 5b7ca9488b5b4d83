-- Every operator can read what waits for a decision, and the control mode.
update roles set permissions = permissions || '{/admin/work:get}'
  where name in ('supervisor', 'manager', 'support', 'kyc', 'communicator', 'announcer', 'auditor');

create index deposit_requests_to_review on deposit_requests (id)
  where state in ('pending', 'in_review');
create index reveals_to_review on reveals (id) where verdict is null;
