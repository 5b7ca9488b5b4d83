// Another most of an asset may exist.

import type { IssuanceCapSet } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';

const UPDATE = 'update assets set issuance_cap_atoms = $2 where id = $1';

export function issuanceCapSet(event: IssuanceCapSet, batch: Batch): void {
  batch.statements.push({ text: UPDATE, values: [event.asset, event.issuanceCapAtoms] });
}
