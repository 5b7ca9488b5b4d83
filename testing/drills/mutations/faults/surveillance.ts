// Faults in surveillance.

import type { Fault } from '../fault.ts';

export const SURVEILLANCE_FAULTS: readonly Fault[] = [
  {
    name: 'orders that were filled in part count as cancelled',
    file: 'features/surveillance/trading-rules.ts',
    find: '\n  and filled_lots = 0`;',
    replace: '`;',
  },
  {
    name: 'evidence of a closed finding opens another',
    file: 'features/surveillance/findings.ts',
    find: 'and c.closed_at + make_interval(hours => $3::integer) >= g.begun_at)',
    replace: 'and c.closed_at < g.begun_at and false)',
  },
  {
    name: 'an operator takes a finding that another has taken',
    file: 'features/surveillance/admin.ts',
    find: "state === 'taken' && takenBy !== operator.user",
    replace: "state === 'taken' && takenBy === undefined",
  },
  {
    name: 'a country of long ago counts as new',
    file: 'features/payments/policy/withdrawal-signs.ts',
    find: 'and o.country = l.country and o.id < l.id)',
    replace:
      "and o.country = l.country and o.id < l.id and o.created_at > s.at - interval '30 days')",
  },
];
