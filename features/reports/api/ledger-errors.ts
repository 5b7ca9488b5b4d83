// Errors for ledger queries.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const ledgerErrors = {
  frame_not_reached: {
    status: 400,
    code: 2880,
    audience: 'operators',
    text: 'The tables are at frame {frame}. Request this frame or an earlier one',
  },
} as const satisfies ErrorTable;
