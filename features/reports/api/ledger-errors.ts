// Errors for ledger queries.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const ledgerErrors = {
  frame_not_reached: {
    status: 400,
    code: 2880,
    audience: 'operators',
    text: 'The tables are at frame {frame}. Request this frame or an earlier one',
  },
  statement_too_long: {
    status: 400,
    code: 2881,
    text: 'A PDF has at most {max} postings. Choose a shorter period or a CSV file',
  },
} as const satisfies ErrorTable;
