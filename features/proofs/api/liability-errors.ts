// Errors for proofs of liabilities.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const liabilityErrors = {
  publication_not_found: {
    status: 404,
    code: 2950,
    text: 'Nothing is published for this frame',
  },
  liability_proof_not_available: {
    status: 404,
    code: 2951,
    text: 'Proofs are available for the newest publications only. Leave out the frame',
  },
} as const satisfies ErrorTable;
