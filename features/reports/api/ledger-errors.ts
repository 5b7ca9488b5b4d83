// Errors of questions about the ledger.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const ledgerErrors = {
  frame_not_reached: {
    status: 400,
    code: 2880,
    audience: 'operators',
    text: 'The tables are at frame {frame}. Ask for that frame or an earlier one',
  },
} as const satisfies ErrorTable;
