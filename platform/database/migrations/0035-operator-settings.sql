-- Operators who see withdrawals can read the values of the policy; managers can change them.
update roles set permissions = permissions || '{/admin/withdrawal-policy:get}'
  where name in ('supervisor', 'manager', 'auditor');
update roles set permissions = permissions || '{/admin/withdrawal-policy:put}'
  where name = 'manager';
