// Cancels orders and unclaimed withdrawals after accounts were frozen by a switch. The accounts
// cannot do anything during that time. Stopping them again repeats it.

import type { MarketId, UserId } from '../../../core/money/index.ts';
import { assertPlainName, idOf, withConnection } from '../../../infra/postgres/index.ts';
import { type Dependencies, requireFresh, submitCommand } from '../../../platform/http/index.ts';
import type { ErrorKey } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { cancelUnclaimedWithdrawal, listCancellableWithdrawals } from '../../payments/index.ts';
import { readHeldAccounts } from '../admin/account-stops.ts';

const AT_ONCE = 50;

export async function stopAccounts(
  dependencies: Dependencies,
  objects: readonly string[],
): Promise<Refused<ErrorKey> | undefined> {
  const { outcomes, registry } = dependencies;
  const users = await readHeldAccounts(registry, objects);
  let canceled = 0;
  for (const user of await withWithdrawals(dependencies, users)) {
    const requests = await listCancellableWithdrawals(registry, user);
    await withConnection(registry, async (connection) => {
      // Keeps a withdrawal that was claimed in the meantime.
      for (const id of requests) void (await cancelUnclaimedWithdrawal(connection, { id }, user));
    });
    canceled += requests.length;
  }
  if (canceled > 0) outcomes.wakeDispatcher();
  const behind = await requireFresh(dependencies);
  if (behind !== undefined) return behind;
  const traders = await withOrders(dependencies, users);
  for (let at = 0; at < traders.length; at += AT_ONCE) {
    const submitted = await Promise.all(traders.slice(at, at + AT_ONCE).map(cancelOrders));
    const refused = submitted.find((one) => one instanceof Refused);
    if (refused !== undefined) return refused;
  }
  return undefined;

  function cancelOrders(user: UserId) {
    const all = { kind: 'CancelAllOrders', user, market: 0 as MarketId, byOperator: true } as const;
    return submitCommand(dependencies, all);
  }
}

async function withWithdrawals(
  { registry }: Dependencies,
  users: readonly UserId[],
): Promise<UserId[]> {
  const { rows } = await registry.query(
    `select distinct r.user_id from withdrawal_requests r where r.user_id = any($1::bigint[])
       and r.kind = 'withdrawal' and r.state not in
         ('completed', 'refused', 'canceled', 'dismissed', 'rejected', 'expired')`,
    [users],
  );
  return rows.map(({ user_id }) => idOf<UserId>(user_id));
}

/** Includes their sub-accounts, which cannot be used either. */
async function withOrders(
  { exchange, projections, registry }: Dependencies,
  users: readonly UserId[],
): Promise<UserId[]> {
  assertPlainName(exchange.projectionSchema);
  const subs = await registry.query('select id from users where parent_id = any($1::bigint[])', [
    users,
  ]);
  const { rows } = await projections.query(
    `select distinct user_id from ${exchange.projectionSchema}.orders
     where close_reason is null and user_id = any($1::bigint[])`,
    [[...users, ...subs.rows.map(({ id }) => idOf<UserId>(id))]],
  );
  return rows.map(({ user_id }) => idOf<UserId>(user_id));
}
