// An amount was taken out of the exchange; listed among withdrawals, completed at once.

import type { AssetBurned } from '../../../core/messages/index.ts';
import { storableText } from '../../../infra/postgres/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

const INSERT = `
  insert into withdrawals (command, kind, withdrawal, user_id, asset_id, amount_atoms, fee_asset_id,
    fee_atoms, status, reference, created_at, updated_at)
  values ($1, 'burn', null, $2, $3, $4, $3, 0, 'completed', $5, $6, $6)`;

export function assetBurned(event: AssetBurned, batch: Batch, place: Place): void {
  const { amountAtoms, asset, command, reference, user } = event;
  const values = [
    command,
    user,
    asset,
    amountAtoms,
    storableText(reference),
    new Date(place.timeMs),
  ];
  batch.statements.push({ text: INSERT, values });
}
