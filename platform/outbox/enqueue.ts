// Appends commands to the outbox, in the transaction that decides them. A command never changes
// afterwards and is sent until it has an outcome. A money command takes the next position of its
// channel, and the engine applies it exactly once. Any other command is repeatable.

import { createHash } from 'node:crypto';
import {
  appendCommand,
  type Command,
  FrameWriter,
  SCHEMA_VERSION,
} from '../../core/messages/index.ts';
import { type Connection, idOf } from '../../infra/postgres/index.ts';
import type { EngineCommand } from './engine-commands.ts';
import {
  encodeRecord,
  type OutboxCommand,
  type OutboxPosition,
  type OutboxRequests,
} from './outbox.ts';

/** Names a command of the outbox: the position of a money command, the id of any other. */
export type Ticket = OutboxPosition | number;

export interface MoneyOptions extends OutboxRequests {
  /** One of OUTBOX_CHANNELS. The transaction then holds it: take other locks before. */
  readonly channel: number;
}

export interface RepeatableOptions {
  /**
   * The command that lists the asset or market of this one: its `asset` or `market` is 0 until
   * then. If that one is refused, so is this one.
   */
  readonly follows?: number | undefined;
}

/**
 * Appends inside the caller's transaction; after the commit, wait for the outcome or wake the
 * dispatcher. Repeatable commands are sent in the order of their ids: lock the object that they
 * concern before. Such a command may be a function of its id, for client order ids. Throws
 * CodecFault if a command cannot be encoded.
 */
export function enqueue(
  connection: Connection,
  command: OutboxCommand,
  options: MoneyOptions,
): Promise<OutboxPosition>;
export function enqueue(
  connection: Connection,
  command: EngineCommand | ((id: number) => EngineCommand),
  options?: RepeatableOptions,
): Promise<number>;
export function enqueue(
  connection: Connection,
  command: OutboxCommand | EngineCommand | ((id: number) => EngineCommand),
  options: MoneyOptions | RepeatableOptions = {},
): Promise<Ticket> {
  if ('channel' in options) return appendMoney(connection, command as OutboxCommand, options);
  return appendRepeatable(connection, command as EngineCommand, options);
}

/** Names one command of the outbox by its place and its bytes, as an audit entry records it. */
export type CommandName = { readonly sha256: string } & (
  | { readonly channel: number; readonly sequence: number }
  | { readonly command: number }
);

/** Commands of the actions in progress; a connection has one transaction at a time. */
const collected = new WeakMap<Connection, CommandName[]>();

/**
 * Runs the work and returns the names of the commands that it appended on this connection. The
 * database cannot tell: code that runs inside the same transaction appends there too.
 */
export async function namingCommands<Result>(
  connection: Connection,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly commands: readonly CommandName[] }> {
  if (collected.has(connection)) throw new Error('an action is in progress on this connection');
  const commands: CommandName[] = [];
  collected.set(connection, commands);
  try {
    return { result: await work(), commands };
  } finally {
    collected.delete(connection);
  }
}

function hashOf(record: Uint8Array): string {
  return createHash('sha256').update(record).digest('hex');
}

async function appendMoney(
  connection: Connection,
  command: OutboxCommand,
  { channel, depositRequest, withdrawalRequest }: MoneyOptions,
): Promise<OutboxPosition> {
  // The row has the position; only the database knows it now.
  const record = encodeRecord({ channel, sequence: 0, command });
  const { rows } = await connection.query(
    'select append_to_outbox($1, $2, $3, $4, $5, $6) as sequence',
    [
      channel,
      command.kind,
      SCHEMA_VERSION,
      record,
      withdrawalRequest ?? null,
      depositRequest ?? null,
    ],
  );
  const position = { channel, sequence: Number(rows[0].sequence) };
  collected.get(connection)?.push({ ...position, sha256: hashOf(record) });
  return position;
}

async function appendRepeatable(
  connection: Connection,
  command: EngineCommand | ((id: number) => EngineCommand),
  { follows }: RepeatableOptions,
): Promise<number> {
  const { rows } = await connection.query(
    `select nextval(pg_get_serial_sequence('engine_commands', 'id')) as id`,
  );
  const id = idOf(rows[0].id);
  const whole = typeof command === 'function' ? command(id) : command;
  const writer = new FrameWriter();
  appendCommand(writer, { ...whole, source: 0, number: 0 } as Command);
  const record = Buffer.from(writer.written());
  await connection.query(
    `insert into engine_commands (id, kind, schema_version, record, follows)
     overriding system value values ($1, $2, $3, $4, $5)`,
    [id, whole.kind, SCHEMA_VERSION, record, follows ?? null],
  );
  collected.get(connection)?.push({ command: id, sha256: hashOf(record) });
  return id;
}
