// An asset may be held from now on.

import type { AssetListed } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

const INSERT = `
  insert into assets (id, symbol, scale, issuance_cap_atoms, listed_at)
  values ($1, $2, $3, $4, $5)`;

export function assetListed(event: AssetListed, batch: Batch, place: Place): void {
  const { asset, issuanceCapAtoms, scale, symbol } = event;
  const values = [asset, symbol, scale, issuanceCapAtoms, new Date(place.timeMs)];
  batch.statements.push({ text: INSERT, values });
}
