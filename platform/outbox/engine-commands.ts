// The repeatable commands of the outbox: configuration by operators, and orders on behalf of users.
// Only the dispatcher reads and settles them, one after another. A copy too many does no harm.

import {
  type ChannelPosition,
  type Command,
  type CommandId,
  decodeCommandRecords,
  type Refusal,
} from '../../core/messages/index.ts';
import { idOf, type Statements } from '../../infra/postgres/index.ts';
import { type EngineOutcome, isByOwner, type OutboxWriter, writerOf } from './outbox.ts';

type Without<Whole, Part> = Whole extends unknown ? Omit<Whole, keyof Part> : never;

/** Every command without a channel, and without its id, which changes each time it is sent. */
export type EngineCommand = Without<Exclude<Command, ChannelPosition>, CommandId>;

export interface EngineCommandRow {
  readonly id: number;
  /** Undefined if the record could not be decoded. */
  readonly command: EngineCommand | undefined;
  readonly writer: OutboxWriter;
  /** A copy may be in the log. */
  readonly wasAttempted: boolean;
  readonly follows: EngineCommandOutcome | undefined;
}

/** As far as it is known. */
export interface EngineCommandOutcome {
  readonly state: 'waiting' | 'accepted' | 'refused';
  /** 'none' unless refused. */
  readonly refusal: Refusal;
  /** A reader that has applied this frame sees the outcome; 0 while it waits. */
  readonly frame: number;
  /**
   * The number of the command in the log, and of the order that it placed; 0 while it waits, and
   * where an answer was lost and the number cannot be known.
   */
  readonly command: number;
  /** The number of the asset or market that it listed; 0 for none. */
  readonly listed: number;
}

export interface SettledEngineCommand extends EngineCommandOutcome {
  readonly state: 'accepted' | 'refused';
}

export function decodeRecord(bytes: Uint8Array, schemaVersion: number): EngineCommand {
  const [decoded] = decodeCommandRecords({ bytes, count: 1 }, schemaVersion);
  if ('channelSequence' in decoded) throw new Error(`engine_commands holds a ${decoded.kind}`);
  const { number: _, source: __, ...command } = decoded;
  return command;
}

/** A writer that is not trusted may have stored any bytes. */
function readRecord(bytes: Uint8Array, schemaVersion: number): EngineCommand | undefined {
  try {
    return decodeRecord(bytes, schemaVersion);
  } catch {
    return undefined;
  }
}

const OUTCOME = 'state, refusal, frame, command_number, listed';

/** In order. */
export async function readWaitingEngineCommands(
  statements: Statements,
  limit: number,
): Promise<EngineCommandRow[]> {
  const { rows } = await statements.query(
    `select id, schema_version, record, attempted_at is not null as was_attempted, follows,
       written_by, ${isByOwner('engine_commands')} as is_by_owner,
       (select row_to_json(f) from (
          select ${OUTCOME} from engine_commands b where b.id = c.follows) f) as before
     from engine_commands c where state = 'waiting' order by id limit $1`,
    [limit],
  );
  return rows.map((row) => ({
    id: idOf(row.id),
    command: readRecord(row.record, Number(row.schema_version)),
    writer: writerOf(row),
    wasAttempted: row.was_attempted,
    follows: row.before === null ? undefined : outcomeOf(row.before),
  }));
}

export interface RepeatableOutcome extends EngineOutcome {
  readonly id: number;
}

/** The outcomes of the settled ones among these commands. */
export async function readSettledCommands(
  statements: Statements,
  ids: readonly number[],
): Promise<RepeatableOutcome[]> {
  const { rows } = await statements.query(
    `select id, state, refusal, frame from engine_commands
     where id = any($1) and state <> 'waiting'`,
    [ids],
  );
  return rows.map(({ frame, id, refusal, state }) => ({
    id: idOf(id),
    state,
    refusal: refusal ?? 'none',
    frame: Number(frame),
  }));
}

interface OutcomeRow {
  readonly state: EngineCommandOutcome['state'];
  readonly refusal: Refusal | null;
  readonly frame: string | number | null;
  readonly command_number: string | number | null;
  readonly listed: string | number | null;
}

function outcomeOf(row: OutcomeRow): EngineCommandOutcome {
  return {
    state: row.state,
    refusal: row.refusal ?? 'none',
    frame: Number(row.frame ?? 0),
    command: Number(row.command_number ?? 0),
    listed: Number(row.listed ?? 0),
  };
}

/** Commit before the first send: after it, a copy might be in the log. */
export async function markAttempted(statements: Statements, id: number): Promise<void> {
  await statements.query(
    'update engine_commands set attempted_at = coalesce(attempted_at, now()) where id = $1',
    [id],
  );
}

/** Settles once; a later outcome of another copy changes nothing. */
export async function settleEngineCommand(
  statements: Statements,
  id: number,
  { command, frame, listed, refusal, state }: SettledEngineCommand,
): Promise<void> {
  await statements.query(
    `update engine_commands set state = $2, refusal = nullif($3, 'none'), frame = $4,
       command_number = $5, listed = nullif($6::bigint, 0), settled_at = now()
     where id = $1 and state = 'waiting'`,
    [id, state, refusal, frame, command, listed],
  );
}

/** Ends a command that its writer was not allowed to write. The engine never receives it. */
export async function voidEngineCommand(
  statements: Statements,
  id: number,
  reason: string,
): Promise<void> {
  await statements.query(
    `update engine_commands set state = 'refused', refusal = '${VOIDED_REFUSAL}', voided = $2,
       frame = 0, settled_at = now()
     where id = $1 and state = 'waiting'`,
    [id, reason],
  );
}

const VOIDED_REFUSAL: Refusal = 'command_is_poisoned';
