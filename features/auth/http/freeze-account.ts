// Freezes an account: ends its sessions and keys immediately, and cancels its orders, those of its
// sub-accounts, and its unclaimed withdrawals.

import type { MarketId, UserId } from '../../../core/money/index.ts';
import { inTransaction, withConnection } from '../../../infra/postgres/index.ts';
import {
  answerEvenly,
  type Call,
  type Dependencies,
  submitCommand,
} from '../../../platform/http/index.ts';
import type { ErrorKey, Routes } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { cancelUnclaimedWithdrawal, listCancellableWithdrawals } from '../../payments/index.ts';
import { listSubAccounts } from '../../sub-accounts/index.ts';
import { freezeByToken } from '../freeze.ts';

export function freezeAccount(
  { body, client }: Call<Routes['freezeAccount']>,
  dependencies: Dependencies,
) {
  return answerEvenly(dependencies.clock, async () => {
    const frozen = await withConnection(dependencies.registry, (connection) =>
      inTransaction(connection, () =>
        freezeByToken(connection, dependencies, { token: body.token, client }),
      ),
    );
    if (frozen === undefined) return new Refused('code_wrong');
    const refused = await stopFrozen(dependencies, frozen.user);
    if (refused !== undefined) return refused;
    return { message: 'The account is frozen. Contact support to have it opened again.' };
  });
}

/** Can be repeated. Call it after the commit that froze the account. */
export async function stopFrozen(
  dependencies: Dependencies,
  user: UserId,
): Promise<Refused<ErrorKey> | undefined> {
  const { changes, outcomes, registry } = dependencies;
  changes.announce({ user, key: 0, session: 0, isRevoked: true });
  const requests = await listCancellableWithdrawals(registry, user);
  await withConnection(registry, async (connection) => {
    // Keeps a withdrawal that was claimed in the meantime.
    for (const id of requests) void (await cancelUnclaimedWithdrawal(connection, { id }, user));
  });
  if (requests.length > 0) outcomes.wakeDispatcher();
  const subs = await listSubAccounts(registry, user);
  for (const one of [user, ...subs.map(({ id }) => id)]) {
    const submitted = await submitCommand(dependencies, {
      kind: 'CancelAllOrders',
      user: one,
      market: 0 as MarketId,
      byOperator: false,
    });
    if (submitted instanceof Refused) return submitted;
  }
  return undefined;
}
