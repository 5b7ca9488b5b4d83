// Faults in answers about the past: positions, kept sums, effects of fees.

import type { Fault } from '../fault.ts';

export const LEDGER_HISTORY_FAULTS: readonly Fault[] = [
  {
    name: 'a moment leaves its own frame out',
    file: 'features/reports/ledger/ledger-position.ts',
    find: 'select e.recorded_at <= $2::timestamptz',
    replace: 'select e.recorded_at < $2::timestamptz',
  },
  {
    name: 'a balance counts the last entries of its checkpoint twice',
    file: 'features/reports/ledger/balances-at.ts',
    find: '(e.recorded_at, e.frame) > (',
    replace: '(e.recorded_at, e.frame) >= (',
  },
  {
    name: 'a step of the ledger forgets the totals before it',
    file: 'features/reports/ledger/ledger-checkpoints.ts',
    find: 'coalesce(t.users_held_atoms, 0) + c.users_held',
    replace: 'c.users_held',
  },
  {
    name: 'proposed fees ignore discounts of users',
    file: 'features/reports/fee-simulation/fee-effect.ts',
    find: 'discountedPpm(rate, sum.discountPpm)',
    replace: 'discountedPpm(rate, 0 as Ppm)',
  },
  {
    name: 'a fill has the present tier of its user',
    file: 'features/reports/fee-simulation/fee-days.ts',
    find: 'c.user_id = s.user_id and c.command < s.order_number',
    replace: 'c.user_id = s.user_id',
  },
];
