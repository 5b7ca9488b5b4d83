// Freezes an account: its sessions and keys end at once, its orders and those of its sub-accounts
// are cancelled, and so are the withdrawals that nobody pays yet.

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
import { cancelWithdrawal, listCancellableWithdrawals } from '../../payments/index.ts';
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

/** May be repeated. Call it after the commit that froze the account. */
export async function stopFrozen(
  dependencies: Dependencies,
  user: UserId,
): Promise<Refused<ErrorKey> | undefined> {
  const { changes, outcomes, registry } = dependencies;
  changes.announce({ user, key: 0, session: 0, isRevoked: true });
  const requests = await listCancellableWithdrawals(registry, user);
  await withConnection(registry, async (connection) => {
    // A withdrawal that someone has begun to pay meanwhile stays.
    for (const id of requests) void (await cancelWithdrawal(connection, { id }, user));
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
