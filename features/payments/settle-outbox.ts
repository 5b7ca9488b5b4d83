// Records the engine's outcome of outbox rows, and moves the requests behind them: both in one
// transaction, each row once.

import { type Connection, inTransaction } from '../../infra/postgres/index.ts';
import {
  type CommandOutcome,
  columnsOf,
  type OutboxOutcome,
  type OutboxRow,
} from '../../platform/outbox/index.ts';
import { joinFamilyGroups, reopenAccounts } from '../accounts/index.ts';
import { SETTLE_DEPOSITS, SETTLE_WITHDRAWALS, settleRequests } from './request-moves.ts';

export interface Settled {
  readonly row: OutboxRow;
  readonly outcome: CommandOutcome;
}

/** A row was settled already, which only the holder of the dispatcher's lock may do. */
export class SettledTwice extends Error {
  override readonly name = 'SettledTwice';
}

const SETTLE_OUTBOX = `
  update outbox o set state = s.state, refusal = nullif(s.refusal, 'none'), frame = s.frame,
    command_number = s.command, settled_at = now()
  from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
    as s(channel, sequence, state, refusal, frame, command)
  where o.channel = s.channel and o.sequence = s.sequence and o.state = 'waiting'`;

/** Settles all rows or none. Throws SettledTwice if one was settled already. */
export async function settleOutbox(
  connection: Connection,
  settled: readonly Settled[],
): Promise<void> {
  if (settled.length === 0) return;
  await inTransaction(connection, async () => {
    const outcomes = settled.map(({ outcome }) => outcome);
    const { rowCount } = await connection.query(SETTLE_OUTBOX, [
      ...columnsOf(outcomes),
      outcomes.map(({ state }) => state),
      outcomes.map(({ refusal }) => refusal),
      outcomes.map(({ frame }) => frame),
      outcomes.map(({ command }) => command),
    ]);
    if (rowCount !== settled.length) {
      throw new SettledTwice(`expected ${settled.length} waiting outbox rows, found ${rowCount}`);
    }
    await settle(connection, settled, 'withdrawalRequest');
    await settle(connection, settled, 'depositRequest');
    await reopenCredited(connection, settled);
  });
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
  const moved = await settleRequests(connection, statement, outcomes);
  if (moved !== outcomes.length) {
    const expected = `expected ${outcomes.length} requests that wait for the engine`;
    throw new SettledTwice(`${expected}, found ${moved}`);
  }
}

/**
 * An account that was leaving has money again: its owner must be able to log in. A sub-account that
 * an operator credits joins the group of its family.
 */
async function reopenCredited(connection: Connection, settled: readonly Settled[]): Promise<void> {
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

/** The published part of an outcome. */
export function outcomeOf({ outcome }: Settled): OutboxOutcome {
  const { command: _, ...published } = outcome;
  return published;
}
