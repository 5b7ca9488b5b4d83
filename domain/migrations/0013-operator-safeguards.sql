-- Safeguards of operators' acts: currency of the thresholds, sealed requests, indexes of lists.

-- ---- Approvals --------------------------------------------------------------------------------

-- Of all thresholds: of operators' acts, of the withdrawal policy, the ceilings of roles.
alter table exchange_control add column currency text not null default 'usdt'
  check (currency ~ '^[a-z0-9]{1,15}$');
update exchange_control set currency = found.currency
  from (select coalesce(
    (select nullif(content ->> 'currency', '') from withdrawal_policy_settings),
    (select symbol from coins where symbol = 'usdt'),
    (select content ->> 'native_currency' from kit)) as currency) found
  where found.currency ~ '^[a-z0-9]{1,15}$';
update withdrawal_policy_settings set content = content - 'currency';

-- ---- Money ------------------------------------------------------------------------------------

-- ---- Access -----------------------------------------------------------------------------------

-- ---- People -----------------------------------------------------------------------------------

-- ---- Staking ----------------------------------------------------------------------------------
