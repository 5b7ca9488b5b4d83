// Faults in surveillance.

import type { FaultTable } from '../fault.ts';

export const SURVEILLANCE_FAULTS: FaultTable = {
  'features/surveillance/trading-rules.ts': {
    'partially filled orders count as canceled': {
      in: 'CANCELED',
      remove: 'and filled_lots = 0',
    },
  },
  'features/surveillance/findings.ts': {
    'evidence of a closed finding opens another': {
      in: 'IS_NEW',
      replace: ['+ make_interval(hours => $3::integer) >= g.begun_at', '< g.begun_at and false'],
    },
  },
  'features/surveillance/admin.ts': {
    'an operator takes a finding already taken by another': {
      in: 'TAKE_FINDING',
      replace: ['!== operator.user', '=== undefined'],
    },
  },
  'features/payments/policy/withdrawal-signs.ts': {
    'a country from long ago counts as new': {
      in: 'signsStatement',
      replace: ['id) order', "id and o.created_at > s.at - interval '30 days') order"],
    },
  },
};
