// The money commands of the outbox, each at a position of its channel. Only the dispatcher reads
// waiting rows.

import {
  appendCommand,
  type ChannelPosition,
  type Command,
  type CommandId,
  decodeCommandRecords,
  FrameWriter,
  type Refusal,
  SCHEMA_VERSION,
} from '../../core/messages/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';

/** A command that moves money, with its position. */
export type ChannelCommand = Extract<Command, ChannelPosition>;

type Without<Whole, Part> = Whole extends unknown ? Omit<Whole, keyof Part> : never;

/** The same without its position and without its id, which changes each time it is sent. */
export type OutboxCommand = Without<ChannelCommand, ChannelPosition & CommandId>;

export interface OutboxPosition {
  readonly channel: number;
  readonly sequence: number;
}

/**
 * The channels of the outbox. Only the dispatcher sends on them. The low numbers are left to
 * programs that send commands without an outbox: genesis, tests, benches.
 */
export const OUTBOX_CHANNELS = {
  withdrawals: 11,
  deposits: 12,
  transfers: 13,
  /** Statements of the registry: registry-term.ts. */
  registry: 14,
} as const;

/** The requests whose state follows from the outcome. */
export interface OutboxRequests {
  readonly withdrawalRequest?: number | undefined;
  readonly depositRequest?: number | undefined;
}

/**
 * The PostgreSQL role that appended a row. owner: the owner of the tables, which tools use, and
 * services if no roles were created. unknown: any other role, so the row is a forgery.
 */
export type OutboxWriter =
  | 'gateway'
  | 'admin'
  | 'notifier'
  | 'dispatcher'
  | 'watcher'
  | 'owner'
  | 'unknown';

export interface OutboxRow extends OutboxPosition, OutboxRequests {
  readonly command: OutboxCommand;
  /** If the command is in the log, it is after this frame. Undefined: it was never sent. */
  readonly sentAfterFrame: number | undefined;
}

/** A row as it is read before it is sent. */
export interface WaitingRow extends OutboxRow {
  readonly writer: OutboxWriter;
  /** The record could not be decoded, and `command` is VOIDED_ROW_COMMAND. */
  readonly isUnreadable: boolean;
  /** The dispatcher has replaced the command. */
  readonly isVoided: boolean;
}

/** The engine's outcome of a command. */
export interface EngineOutcome {
  readonly state: 'accepted' | 'refused';
  /** 'none' when accepted. */
  readonly refusal: Refusal;
  /** A reader that has applied this frame sees the outcome. */
  readonly frame: number;
}

export interface PositionOutcome extends OutboxPosition, EngineOutcome {}

export interface CommandOutcome extends PositionOutcome {
  /** The log's number of the copy that took effect. */
  readonly command: number;
}

/** The dispatcher gives a command its id each time it sends it. */
const NO_ID: CommandId = { source: 0, number: 0 };

type PositionedCommand = Pick<OutboxRow, 'channel' | 'sequence' | 'command'>;

export function toCommand(
  { channel, command, sequence }: PositionedCommand,
  id: CommandId,
): ChannelCommand {
  return { ...command, ...id, channel, channelSequence: sequence } as ChannelCommand;
}

/** The stored form: the codec's record of the command, without an id. */
export function encodeRecord(positioned: PositionedCommand): Buffer {
  const writer = new FrameWriter();
  appendCommand(writer, toCommand(positioned, NO_ID));
  return Buffer.from(writer.written());
}

/** The engine refuses it: no withdrawal has this number. It takes a position, and nothing else. */
export const VOIDED_ROW_COMMAND = { kind: 'CancelWithdrawal', withdrawal: 0 } as const;

/** A writer that is not trusted may have stored any bytes. */
function readRecord(
  bytes: Uint8Array,
  schemaVersion: number,
): Pick<WaitingRow, 'command' | 'isUnreadable'> {
  try {
    return { command: decodeRecord(bytes, schemaVersion), isUnreadable: false };
  } catch {
    return { command: VOIDED_ROW_COMMAND, isUnreadable: true };
  }
}

/** SQL: whether the owner of the table is the role that wrote the row. */
export function isByOwner(table: 'outbox' | 'engine_commands'): string {
  return `written_by = (
    select pg_get_userbyid(relowner) from pg_class where oid = '${table}'::regclass)`;
}

/** A row with written_by and is_by_owner. */
export function writerOf(row: {
  readonly written_by: string;
  readonly is_by_owner: boolean;
}): OutboxWriter {
  if (row.is_by_owner) return 'owner';
  if (/_gateway_(?:http|identity)$/.test(row.written_by)) return 'gateway';
  if (row.written_by.endsWith('_gateway_admin')) return 'admin';
  if (row.written_by.endsWith('_outbox_dispatcher')) return 'dispatcher';
  if (row.written_by.endsWith('_chain_watcher')) return 'watcher';
  return row.written_by.endsWith('_notifier') ? 'notifier' : 'unknown';
}

/** Why the dispatcher does not send a row as it is. */
export interface VoidedRow extends OutboxPosition {
  readonly reason: string;
  /** Sent instead. */
  readonly command: OutboxCommand;
  /** The requests keep their link to the position only if they follow its outcome. */
  readonly keepsRequests: boolean;
}

/** Replaces the command of a row that was never sent; the row keeps the record that it had. */
export async function voidRow(statements: Statements, voided: VoidedRow): Promise<void> {
  const { channel, command, keepsRequests, reason, sequence } = voided;
  await statements.query(
    `update outbox set voided = $3, voided_record = record, record = $4, kind = $5,
       schema_version = $6, withdrawal_request = case when $7 then withdrawal_request end,
       deposit_request = case when $7 then deposit_request end
     where channel = $1 and sequence = $2 and state = 'waiting' and sent_after_frame is null
       and voided is null`,
    [
      channel,
      sequence,
      reason,
      encodeRecord({ channel, sequence, command }),
      command.kind,
      SCHEMA_VERSION,
      keepsRequests,
    ],
  );
}

/** Throws if the bytes are not the record of a money command. */
export function decodeRecord(bytes: Uint8Array, schemaVersion: number): OutboxCommand {
  const [decoded] = decodeCommandRecords({ bytes, count: 1 }, schemaVersion);
  if (!('channelSequence' in decoded)) throw new Error(`outbox holds a ${decoded.kind}`);
  const {
    channel: _channel,
    channelSequence: _sequence,
    number: _,
    source: _source,
    ...command
  } = decoded;
  return command;
}

/** The first waiting rows of each channel, in order. */
export async function readWaiting(
  statements: Statements,
  perChannelMax: number,
): Promise<WaitingRow[]> {
  const { rows } = await statements.query(
    `select w.* from channels c cross join lateral (
       select channel, sequence, schema_version, record, withdrawal_request, deposit_request,
         sent_after_frame, written_by, ${isByOwner('outbox')} as is_by_owner,
         voided is not null as is_voided
       from outbox o where o.channel = c.channel and o.state = 'waiting'
       order by o.sequence limit $1
     ) w order by w.channel, w.sequence`,
    [perChannelMax],
  );
  return rows.map((row) => ({
    channel: Number(row.channel),
    sequence: Number(row.sequence),
    ...readRecord(row.record, Number(row.schema_version)),
    writer: writerOf(row),
    isVoided: row.is_voided,
    withdrawalRequest: optionalNumber(row.withdrawal_request),
    depositRequest: optionalNumber(row.deposit_request),
    sentAfterFrame: optionalNumber(row.sent_after_frame),
  }));
}

/** Call and commit before the first send. Rows that are already marked keep their mark. */
export async function markSent(
  statements: Statements,
  positions: readonly OutboxPosition[],
  afterFrame: number,
): Promise<void> {
  await statements.query(
    `update outbox o set sent_after_frame = $3
     from unnest($1::bigint[], $2::bigint[]) as p(channel, sequence)
     where o.channel = p.channel and o.sequence = p.sequence
       and o.sent_after_frame is null and o.state = 'waiting'`,
    [...columnsOf(positions), afterFrame],
  );
}

/** The outcomes of the settled ones among these positions. */
export async function readOutcomes(
  statements: Statements,
  positions: readonly OutboxPosition[],
): Promise<PositionOutcome[]> {
  const { rows } = await statements.query(
    `select o.channel, o.sequence, o.state, o.refusal, o.frame
     from unnest($1::bigint[], $2::bigint[]) as p(channel, sequence)
     join outbox o on o.channel = p.channel and o.sequence = p.sequence
     where o.state <> 'waiting'`,
    columnsOf(positions),
  );
  return rows.map((row) => ({
    channel: Number(row.channel),
    sequence: Number(row.sequence),
    state: row.state,
    refusal: row.refusal ?? 'none',
    frame: Number(row.frame),
  }));
}

export function columnsOf(positions: readonly OutboxPosition[]): [number[], number[]] {
  return [positions.map(({ channel }) => channel), positions.map(({ sequence }) => sequence)];
}

function optionalNumber(value: string | null): number | undefined {
  return value === null ? undefined : Number(value);
}
