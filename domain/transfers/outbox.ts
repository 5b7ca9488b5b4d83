// The outbox: money commands that wait to be sent to the engine, each at a position of its channel.
// Appended in the transaction that decides them; a position is one command for ever. Only the
// dispatcher reads what waits and writes what came of it.

import {
  appendCommand,
  type ChannelPosition,
  type Command,
  type CommandId,
  FrameWriter,
  type Refusal,
} from '../../core/messages/index.ts';
import type { Connection, Statements } from '../../infra/postgres/index.ts';

/** A command that moves money, with its position. */
export type ChannelCommand = Extract<Command, ChannelPosition>;

type Without<Whole, Part> = Whole extends unknown ? Omit<Whole, keyof Part> : never;

/** The same without its position, and without the id under which it happens to be sent. */
export type OutboxCommand = Without<ChannelCommand, ChannelPosition & CommandId>;

export interface OutboxPosition {
  readonly channel: number;
  readonly sequence: number;
}

/**
 * The channels of the outbox. Nobody else may send on them. The low ones are left to those who
 * speak to the engine by themselves: genesis, tests, benches.
 */
export const OUTBOX_CHANNELS = { withdrawals: 11, deposits: 12, transfers: 13 } as const;

/** The rows whose state follows from the outcome. */
export interface OutboxRequests {
  readonly withdrawalRequest?: number | undefined;
  readonly depositRequest?: number | undefined;
}

export interface OutboxRow extends OutboxPosition, OutboxRequests {
  readonly command: OutboxCommand;
  /** It stands behind this frame, if it is in the log; undefined when it was never sent. */
  readonly sentAfterFrame: number | undefined;
}

export type OutboxState = 'waiting' | 'accepted' | 'refused';

/** What came of a position. */
export interface OutboxOutcome extends OutboxPosition {
  readonly state: 'accepted' | 'refused';
  /** 'none' when accepted. */
  readonly refusal: Refusal;
  /** The outcome stands at this frame: whoever has read so far sees it. */
  readonly frame: number;
}

export interface CommandOutcome extends OutboxOutcome {
  /** The number in the log of the command that counted. */
  readonly command: number;
}

/**
 * Gives the command the next position of the channel, inside the caller's transaction, which then
 * holds the channel: take other locks before. Throws CodecFault for what could never be sent.
 */
export async function appendToOutbox(
  connection: Connection,
  channel: number,
  command: OutboxCommand,
  { depositRequest, withdrawalRequest }: OutboxRequests = {},
): Promise<OutboxPosition> {
  const { rows } = await connection.query(
    `insert into channels as c (channel, last_assigned) values ($1, 1)
     on conflict (channel) do update set last_assigned = c.last_assigned + 1
     returning last_assigned`,
    [channel],
  );
  const sequence = Number(rows[0].last_assigned);
  // A command that can not be encoded would stop its channel: better its own transaction.
  appendCommand(new FrameWriter(), toCommand({ channel, sequence, command }, NO_ID));
  await connection.query(
    `insert into outbox (channel, sequence, command, withdrawal_request, deposit_request)
     values ($1, $2, $3, $4, $5)`,
    [channel, sequence, textOf(command), withdrawalRequest ?? null, depositRequest ?? null],
  );
  return { channel, sequence };
}

const NO_ID: CommandId = { source: 0, number: 0 };

export function toCommand(
  { channel, command, sequence }: Pick<OutboxRow, 'channel' | 'sequence' | 'command'>,
  id: CommandId,
): ChannelCommand {
  return { ...command, ...id, channel, channelSequence: sequence } as ChannelCommand;
}

/** The first waiting ones of each channel, in order. */
export async function readWaiting(
  statements: Statements,
  perChannelMax: number,
): Promise<OutboxRow[]> {
  const { rows } = await statements.query(
    `select w.* from channels c cross join lateral (
       select channel, sequence, command, withdrawal_request, deposit_request, sent_after_frame
       from outbox o where o.channel = c.channel and o.state = 'waiting'
       order by o.sequence limit $1
     ) w order by w.channel, w.sequence`,
    [perChannelMax],
  );
  return rows.map((row) => ({
    channel: Number(row.channel),
    sequence: Number(row.sequence),
    command: commandOf(row.command),
    withdrawalRequest: optionalNumber(row.withdrawal_request),
    depositRequest: optionalNumber(row.deposit_request),
    sentAfterFrame: optionalNumber(row.sent_after_frame),
  }));
}

/** To be committed before they are sent for the first time. What was marked stays as it is. */
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

/** Of those positions that are no longer waiting. */
export async function readOutcomes(
  statements: Statements,
  positions: readonly OutboxPosition[],
): Promise<OutboxOutcome[]> {
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

/** As JSON: atoms, which may have more digits than a double, as texts. */
function textOf(command: OutboxCommand): string {
  return JSON.stringify(command, (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}

function commandOf(fields: Readonly<Record<string, unknown>>): OutboxCommand {
  const entries = Object.entries(fields).map(([name, value]) => {
    return [name, name.endsWith('Atoms') ? BigInt(value as string) : value];
  });
  return Object.fromEntries(entries) as OutboxCommand;
}

function optionalNumber(value: string | null): number | undefined {
  return value === null ? undefined : Number(value);
}
