// What becomes of an outbox row and of the request behind it once the engine's outcome is known:
// both in one transaction, each row once. The table below is the whole life of a request.

import { type Connection, inTransaction } from '../../infra/postgres/index.ts';
import {
  type CommandOutcome,
  columnsOf,
  type OutboxCommand,
  type OutboxOutcome,
  type OutboxRow,
} from './outbox.ts';

interface Ends {
  readonly accepted: string;
  readonly refused: string;
}

/**
 * The state of a withdrawal request after each kind of command. A completion or a cancellation that
 * the engine refuses leaves it opened: nothing has moved, and the refusal is written down.
 */
const WITHDRAWAL_ENDS: Partial<Record<OutboxCommand['kind'], Ends>> = {
  OpenWithdrawal: { accepted: 'opened', refused: 'refused' },
  CompleteWithdrawal: { accepted: 'completed', refused: 'opened' },
  CancelWithdrawal: { accepted: 'canceled', refused: 'opened' },
  BurnAsset: { accepted: 'completed', refused: 'refused' },
  TransferAsset: { accepted: 'completed', refused: 'refused' },
};

const DEPOSIT_ENDS: Partial<Record<OutboxCommand['kind'], Ends>> = {
  CreditDeposit: { accepted: 'completed', refused: 'refused' },
  MintAsset: { accepted: 'completed', refused: 'refused' },
  TransferAsset: { accepted: 'completed', refused: 'refused' },
};

/** Commands after which the request names the command. */
const FIRST_COMMANDS: ReadonlySet<string> = new Set([
  'OpenWithdrawal',
  'BurnAsset',
  'TransferAsset',
  'CreditDeposit',
  'MintAsset',
]);

export interface Settled {
  readonly row: OutboxRow;
  readonly settlement: CommandOutcome;
}

/** A row was not waiting: another has settled it, which only the holder of the lock may do. */
export class SettledTwice extends Error {
  override readonly name = 'SettledTwice';
}

const SETTLE_OUTBOX = `
  update outbox o set state = s.state, refusal = nullif(s.refusal, 'none'), frame = s.frame,
    command_number = s.command, settled_at = now()
  from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
    as s(channel, sequence, state, refusal, frame, command)
  where o.channel = s.channel and o.sequence = s.sequence and o.state = 'waiting'`;

// What has ended is no longer under way; what was refused is rejected; and what goes on although
// its end was asked for is neither rejected nor dismissed.
const settleRequests = (table: 'withdrawal_requests' | 'deposit_requests') => `
  update ${table} r set state = s.state, refusal = nullif(s.refusal, 'none'),
    command = coalesce(s.command, r.command),
    rejected = case s.state when 'refused' then true when 'opened' then false else r.rejected end,
    dismissed = r.dismissed and s.state not in ('opened', 'completed'),
    processing = r.processing and s.state = 'opened',
    waiting = r.waiting and s.state = 'opened',
    updated_at = now()
  from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[])
    as s(id, state, refusal, command)
  where r.id = s.id and r.state in ('requested', 'completing', 'canceling')`;
const SETTLE_WITHDRAWALS = settleRequests('withdrawal_requests');
const SETTLE_DEPOSITS = settleRequests('deposit_requests');

/** All of them or none. Throws SettledTwice when one is not waiting. */
export async function settleOutbox(
  connection: Connection,
  settled: readonly Settled[],
): Promise<void> {
  if (settled.length === 0) return;
  await inTransaction(connection, async () => {
    const settlements = settled.map(({ settlement }) => settlement);
    const { rowCount } = await connection.query(SETTLE_OUTBOX, [
      ...columnsOf(settlements),
      settlements.map(({ state }) => state),
      settlements.map(({ refusal }) => refusal),
      settlements.map(({ frame }) => frame),
      settlements.map(({ command }) => command),
    ]);
    if (rowCount !== settled.length) {
      throw new SettledTwice(`${settled.length} rows were to be settled, ${rowCount} waited`);
    }
    // A request has one command under way at a time, so each is named once.
    await settle(connection, settled, 'withdrawalRequest');
    await settle(connection, settled, 'depositRequest');
  });
}

async function settle(
  connection: Connection,
  settled: readonly Settled[],
  of: 'withdrawalRequest' | 'depositRequest',
): Promise<void> {
  const ends = of === 'withdrawalRequest' ? WITHDRAWAL_ENDS : DEPOSIT_ENDS;
  const ours = settled.filter(({ row }) => row[of] !== undefined);
  if (ours.length === 0) return;
  const { rowCount } = await connection.query(
    of === 'withdrawalRequest' ? SETTLE_WITHDRAWALS : SETTLE_DEPOSITS,
    [
      ours.map(({ row }) => row[of]),
      ours.map(({ row, settlement }) => ends[row.command.kind]?.[settlement.state]),
      ours.map(({ settlement }) => settlement.refusal),
      ours.map(({ row, settlement }) =>
        FIRST_COMMANDS.has(row.command.kind) ? settlement.command : null,
      ),
    ],
  );
  if (rowCount !== ours.length) {
    throw new SettledTwice(`${ours.length} requests were under way, ${rowCount} of them still are`);
  }
}

/** What others are told of it. */
export function outcomeOf({ settlement }: Settled): OutboxOutcome {
  const { command: _, ...outcome } = settlement;
  return outcome;
}
