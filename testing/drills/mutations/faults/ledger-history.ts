// Faults in answers about the past: positions, kept sums, effects of fees.

import type { Fault } from '../fault.ts';

export const LEDGER_HISTORY_FAULTS: readonly Fault[] = [
  {
    name: 'a moment leaves its own frame out',
    file: 'domain/ledger-history/position.ts',
    find: 'select e.recorded_at <= $2::timestamptz',
    replace: 'select e.recorded_at < $2::timestamptz',
  },
  {
    name: 'a balance counts the last entries of its checkpoint twice',
    file: 'domain/ledger-history/balances-at.ts',
    find: '(e.recorded_at, e.frame) > (',
    replace: '(e.recorded_at, e.frame) >= (',
  },
  {
    name: 'a step of the ledger forgets the totals before it',
    file: 'domain/ledger-history/checkpoints.ts',
    find: 'coalesce(t.users_held_atoms, 0) + c.users_held',
    replace: 'c.users_held',
  },
  {
    name: 'proposed fees ignore discounts of users',
    file: 'domain/fee-effect/fee-effect.ts',
    find: 'discountedPpm(rate, sum.discountPpm)',
    replace: 'discountedPpm(rate, 0 as Ppm)',
  },
  {
    name: 'a fill has the present tier of its user',
    file: 'domain/fee-effect/fee-days.ts',
    find: 'c.user_id = s.user_id and c.command < s.order_number',
    replace: 'c.user_id = s.user_id',
  },
];
