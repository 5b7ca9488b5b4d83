// An amount was issued without a deposit on a chain; listed among deposits.

import type { AssetMinted } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

export function assetMinted(event: AssetMinted, batch: Batch, place: Place): void {
  batch.deposits.row().integer(event.command).text('mint').integer(event.user);
  batch.deposits.integer(event.asset).bigint(event.amountAtoms).text(event.reference);
  batch.deposits.time(place.timeMs);
}
