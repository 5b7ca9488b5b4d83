// Changes accounts that received money, in the transaction that records the outcome.

import type { Connection } from '../../infra/postgres/index.ts';
import type { Settled } from '../../platform/outbox/index.ts';
import { reopenAccounts } from './closing.ts';
import { joinFamilyGroups } from './engine-settings.ts';

/**
 * Reopens a closing account that has money again, so its owner can log in. A sub-account credited
 * by an operator joins its family's group.
 */
export async function reopenCredited(
  connection: Connection,
  settled: readonly Settled[],
): Promise<void> {
  const credited = settled.flatMap(({ outcome, row: { command } }) => {
    if (outcome.state !== 'accepted') return [];
    switch (command.kind) {
      case 'CreditDeposit':
      case 'MintAsset':
        return [command.user];
      case 'TransferAsset':
        return [command.receiver];
      default:
        return [];
    }
  });
  if (credited.length === 0) return;
  await reopenAccounts(connection, credited);
  await joinFamilyGroups(connection, credited);
}
