// Errors for operator actions on custody: codes 2850–2859.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const custodyErrors = {
  custody_network_not_halted: {
    status: 400,
    code: 2850,
    audience: 'operators',
    text: 'The network is not halted: {network}',
  },
  custody_deposit_not_open: {
    status: 400,
    code: 2851,
    audience: 'operators',
    text: 'There is no unattributed deposit with this ID',
  },
} as const satisfies ErrorTable;
