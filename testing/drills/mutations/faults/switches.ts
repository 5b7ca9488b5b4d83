// Faults in kill switch actions: what a stop affects, and what a resume restores.

import type { FaultTable } from '../fault.ts';

export const SWITCH_FAULTS: FaultTable = {
  'features/kill-switches/admin/stop-and-resume.ts': {
    'one operator resumes everything with a single approval': {
      in: 'RESUME.prepare.approvals',
      value: '1',
    },
  },
  'features/kill-switches/admin/account-stops.ts': {
    'an account stop freezes operators': { in: 'membersOf', remove: 'u.role is null and' },
    'a resume unfreezes an account that an operator froze in the meantime': {
      in: 'unfreezeAccounts',
      remove: 'and u.state_since = f.frozen_at',
    },
  },
  'features/kill-switches/admin/market-stops.ts': {
    'one operator alone eases a market stop': {
      in: 'isSofter',
      replace: [
        'hardnessOf(to) < hardnessOf(mode) && hardnessOf(to) > hardnessOf(resumesTo)',
        'false',
      ],
    },
  },
};
