// Changes accounts that have received money, in the transaction that records the outcome.

import type { Connection } from '../../infra/postgres/index.ts';
import type { Settled } from '../../platform/outbox/index.ts';
import { reopenAccounts } from './closing.ts';
import { joinFamilyGroups } from './engine-settings.ts';

/**
 * A closing account that has money again is reopened: its owner must be able to log in. A
 * sub-account that an operator credits joins the group of its family.
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
