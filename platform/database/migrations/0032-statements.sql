-- Operators who can read the ledger can read account statements.
update roles set permissions = permissions || '{/admin/user/statement:get}'
  where name in ('supervisor', 'manager', 'auditor');
