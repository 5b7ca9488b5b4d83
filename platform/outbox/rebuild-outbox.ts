// Makes the outbox of a registry that went back in time agree with the log, in the transaction of
// `restore reconcile`: the log's commands get their rows, and rows that hold a position of another
// command move behind them.

import { type Refusal, SCHEMA_VERSION } from '../../core/messages/index.ts';
import type { Connection, Statements } from '../../infra/postgres/index.ts';
import {
  type ChannelCommand,
  encodeRecord,
  type OutboxPosition,
  type OutboxRequests,
} from './outbox.ts';

/** Returns whether the outbox lacks the row of a position, between its rows or after the last. */
export async function readMissingRows(
  statements: Statements,
): Promise<(position: OutboxPosition) => boolean> {
  const { rows: ends } = await statements.query(
    `select channel::float8 as channel, max(sequence)::float8 as last from outbox group by channel`,
  );
  const { rows: gaps } = await statements.query(
    `select channel::float8 as channel, before::float8 as before, sequence::float8 as sequence
     from (
       select channel, sequence,
         lag(sequence, 1, 0::bigint) over (partition by channel order by sequence) as before
       from outbox
     ) o where sequence > before + 1`,
  );
  const last = new Map<number, number>(ends.map((end) => [end.channel, end.last]));
  return ({ channel, sequence }) =>
    sequence > (last.get(channel) ?? 0) ||
    gaps.some((gap) => gap.channel === channel && sequence > gap.before && sequence < gap.sequence);
}

export interface LoggedRow extends OutboxRequests {
  readonly command: ChannelCommand;
  readonly frame: number;
  /** The command's number in the log. */
  readonly number: number;
  readonly refusal: Refusal;
  readonly timeMs: number;
}

/** Writes the row of a command that the log has, with its outcome. Replaces a row that waits. */
export async function writeLoggedRow(connection: Connection, row: LoggedRow): Promise<void> {
  const { command, refusal } = row;
  const { channel, channelSequence, number: _number, source: _source, ...rest } = command;
  await connection.query(
    `insert into outbox (channel, sequence, kind, schema_version, record, withdrawal_request,
       deposit_request, sent_after_frame, state, refusal, frame, command_number, created_at,
       settled_at, written_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8 - 1, $9, nullif($10, 'none'), $8, $11,
       to_timestamp($12 / 1000.0), now(), 'restore')
     on conflict (channel, sequence) do update set kind = excluded.kind,
       schema_version = excluded.schema_version, record = excluded.record,
       withdrawal_request = excluded.withdrawal_request,
       deposit_request = excluded.deposit_request, sent_after_frame = excluded.sent_after_frame,
       state = excluded.state, refusal = excluded.refusal, frame = excluded.frame,
       command_number = excluded.command_number, created_at = excluded.created_at,
       settled_at = excluded.settled_at, written_by = excluded.written_by, voided = null,
       voided_record = null
     where outbox.state = 'waiting'`,
    [
      channel,
      channelSequence,
      command.kind,
      SCHEMA_VERSION,
      encodeRecord({ channel, sequence: 0, command: rest }),
      row.withdrawalRequest ?? null,
      row.depositRequest ?? null,
      row.frame,
      refusal === 'none' ? 'accepted' : 'refused',
      refusal,
      row.number,
      row.timeMs,
    ],
  );
}

/** A channel never hands out a position again that the log has. False if it continues later. */
export async function raiseChannel(
  connection: Connection,
  { channel, sequence }: OutboxPosition,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    `insert into channels as c (channel, last_assigned) values ($1, $2)
     on conflict (channel) do update set last_assigned = excluded.last_assigned
     where c.last_assigned < excluded.last_assigned`,
    [channel, sequence],
  );
  return rowCount === 1;
}

/**
 * Appends a copy of a row that was never executed, with its writer and its requests. The caller
 * then replaces the row itself.
 */
export async function appendCopy(
  connection: Connection,
  { channel, sequence }: OutboxPosition,
): Promise<OutboxPosition> {
  const { rows } = await connection.query(
    `with next as (
       update channels set last_assigned = last_assigned + 1 where channel = $1
       returning last_assigned
     )
     insert into outbox (channel, sequence, kind, schema_version, record, withdrawal_request,
       deposit_request, created_at, written_by, written_in, voided, voided_record)
     select o.channel, n.last_assigned, o.kind, o.schema_version, o.record, o.withdrawal_request,
       o.deposit_request, o.created_at, o.written_by, o.written_in, o.voided, o.voided_record
     from outbox o, next n where o.channel = $1 and o.sequence = $2 and o.state = 'waiting'
     returning sequence`,
    [channel, sequence],
  );
  if (rows.length === 0) throw new Error(`outbox ${channel}/${sequence} does not wait`);
  return { channel, sequence: Number(rows[0].sequence) };
}
