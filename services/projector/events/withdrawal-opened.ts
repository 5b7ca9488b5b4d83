// A withdrawal holds its amount and fee.

import type { WithdrawalOpened } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

const INSERT = `
  insert into withdrawals (command, kind, withdrawal, user_id, asset_id, amount_atoms, fee_asset_id,
    fee_atoms, status, reference, created_at, updated_at)
  values ($1, 'withdrawal', $2, $3, $4, $5, $6, $7, 'open', '', $8, $8)`;

export function withdrawalOpened(event: WithdrawalOpened, batch: Batch, place: Place): void {
  const { amountAtoms, asset, command, feeAsset, feeAtoms, user, withdrawal } = event;
  const amounts = [user, asset, amountAtoms, feeAsset, feeAtoms];
  const values = [command, withdrawal, ...amounts, new Date(place.timeMs)];
  batch.statements.push({ text: INSERT, values });
}
