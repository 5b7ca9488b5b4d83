// Records the engine's outcomes of outbox rows, each row once, in one transaction with the
// hooks of the features that own the commands. Knows no feature.

import { type Connection, inTransaction } from '../../infra/postgres/index.ts';
import { type CommandOutcome, columnsOf, type OutboxRow } from './outbox.ts';

export interface Settled {
  readonly row: OutboxRow;
  readonly outcome: CommandOutcome;
}

/** Lets an owner of commands act on outcomes. It gets those of all owners and picks its own. */
export type SettleHook = (connection: Connection, settled: readonly Settled[]) => Promise<void>;

/** By owner; called in this order. */
export type SettleHooks = Readonly<Record<string, SettleHook>>;

/** A row was settled already, which only the holder of the dispatcher's lock may do. */
export class SettledTwice extends Error {
  override readonly name = 'SettledTwice';
}

const SETTLE = `
  update outbox o set state = s.state, refusal = nullif(s.refusal, 'none'), frame = s.frame,
    command_number = s.command, settled_at = now()
  from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
    as s(channel, sequence, state, refusal, frame, command)
  where o.channel = s.channel and o.sequence = s.sequence and o.state = 'waiting'`;

/** Settles all rows or none. Throws SettledTwice if one was settled already. */
export async function settleOutbox(
  connection: Connection,
  settled: readonly Settled[],
  hooks: SettleHooks,
): Promise<void> {
  if (settled.length === 0) return;
  await inTransaction(connection, () => settleOutboxIn(connection, settled, hooks));
}

/** The same in the caller's transaction. */
export async function settleOutboxIn(
  connection: Connection,
  settled: readonly Settled[],
  hooks: SettleHooks,
): Promise<void> {
  const outcomes = settled.map(({ outcome }) => outcome);
  const { rowCount } = await connection.query(SETTLE, [
    ...columnsOf(outcomes),
    outcomes.map(({ state }) => state),
    outcomes.map(({ refusal }) => refusal),
    outcomes.map(({ frame }) => frame),
    outcomes.map(({ command }) => command),
  ]);
  if (rowCount !== settled.length) {
    throw new SettledTwice(`expected ${settled.length} waiting outbox rows, found ${rowCount}`);
  }
  for (const hook of Object.values(hooks)) await hook(connection, settled);
}
