// Moves the requests of settled outbox rows, in the transaction that records the outcomes.

import type { Connection } from '../../infra/postgres/index.ts';
import { type Settled, SettledTwice } from '../../platform/outbox/index.ts';
import { moveSettled, SETTLE_DEPOSITS, SETTLE_WITHDRAWALS } from './request-moves.ts';

/** Throws SettledTwice if a request is not awaiting this outcome. */
export async function settleRequests(
  connection: Connection,
  settled: readonly Settled[],
): Promise<void> {
  await settle(connection, settled, 'withdrawalRequest');
  await settle(connection, settled, 'depositRequest');
}

/** Submits a deposit for review whose credit was not sent to the engine. */
export async function reviewUnsentCredit(connection: Connection, id: number): Promise<void> {
  const moved = await moveSettled(connection, SETTLE_DEPOSITS, [
    { id, kind: 'CreditDeposit', move: 'review', refusal: 'none', command: null },
  ]);
  if (moved !== 1) throw new Error(`deposit ${id} is not being credited`);
}

/** A request has at most one outstanding command, so each request occurs once. */
async function settle(
  connection: Connection,
  settled: readonly Settled[],
  of: 'withdrawalRequest' | 'depositRequest',
): Promise<void> {
  const outcomes = settled.flatMap(({ outcome, row }) => {
    const { [of]: id } = row;
    if (id === undefined) return [];
    const { command, refusal, state } = outcome;
    const move = state === 'accepted' ? 'accept' : 'refuse';
    return [{ id, kind: row.command.kind, move, refusal, command } as const];
  });
  if (outcomes.length === 0) return;
  const statement = of === 'withdrawalRequest' ? SETTLE_WITHDRAWALS : SETTLE_DEPOSITS;
  const moved = await moveSettled(connection, statement, outcomes);
  if (moved !== outcomes.length) {
    const expected = `expected ${outcomes.length} requests pending in the engine`;
    throw new SettledTwice(`${expected}, found ${moved}`);
  }
}
