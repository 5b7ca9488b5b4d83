// `restore reconcile`: makes an older registry fit a log that is ahead of it. Positions and numbers
// that the log has used are never handed out again; money commands that the registry does not know
// are listed for a person to decide.

import { isDeepStrictEqual } from 'node:util';
import { MONEY_CHANNELS } from '../../infra/identities/index.ts';
import type { Archive } from '../../infra/journal/index.ts';
import { type Connection, inTransaction } from '../../infra/postgres/index.ts';
import { type ChannelCommand, readWaiting, toCommand } from '../../platform/outbox/index.ts';
import { ToolFault } from '../command-line.ts';
import { Names } from '../replay/names.ts';
import { type LogFacts, type MoneyCommand, readMoneyCommands } from './read-money-commands.ts';

export interface ReconcileOptions {
  /** With the registry's schema in its search path. */
  readonly connection: Connection;
  readonly archive: Archive;
  /** The last frame of the log. */
  readonly at: number;
  onFrame(done: number, of: number): void;
}

/** Findings are sentences: a person decides about each. */
export interface Reconciled {
  /** Money commands in the log that no request asked for. */
  readonly withoutRequest: readonly string[];
  /** Rows of the outbox whose position has another command in the log. */
  readonly otherCommand: readonly string[];
  /** Users that the engine knows and the registry does not. */
  readonly unknownUsers: readonly string[];
  /** Entries of the audit that the log vouches for and the registry lacks. */
  readonly lostAudit: readonly string[];
  /** Corrections that were made. */
  readonly raised: readonly string[];
  /** Rows of the outbox that were sent after the backup: the dispatcher will find their outcome. */
  readonly marked: number;
}

const WAITING_MAX = 1_000_000;

export async function reconcile(options: ReconcileOptions): Promise<Reconciled> {
  const { at, connection } = options;
  const assigned = await readChannels(connection, at);
  const waiting = await readWaiting(connection, WAITING_MAX);
  const waitingAt = new Map(waiting.map((row) => [nameOf(row.channel, row.sequence), row]));
  const facts = await readMoneyCommands({
    ...options,
    isWanted: ({ channel, channelSequence }) =>
      channelSequence > (assigned.get(channel) ?? 0) ||
      waitingAt.has(nameOf(channel, channelSequence)),
  });
  assertLogIsAhead(facts, await readSettled(connection));
  const unknown: MoneyCommand[] = [];
  const other: MoneyCommand[] = [];
  const sent: MoneyCommand[] = [];
  for (const found of facts.commands) {
    const { channel, channelSequence, number, source } = found.command;
    const row = waitingAt.get(nameOf(channel, channelSequence));
    if (row === undefined) unknown.push(found);
    else if (isDeepStrictEqual(found.command, toCommand(row, { source, number }))) sent.push(found);
    else other.push(found);
  }
  const raised = await inTransaction(connection, async () => {
    await markSent(connection, [...sent, ...other]);
    return [
      ...(await raiseChannels(connection, facts, assigned)),
      ...(await raiseNumbers(connection, facts)),
    ];
  });
  const names = new Names(facts.replica.exchange);
  return {
    withoutRequest: unknown.map((found) => sentence(found, names)),
    otherCommand: other.map((found) => sentence(found, names)),
    unknownUsers: await unknownUsers(connection, facts),
    lostAudit: await lostAudit(connection, facts),
    raised,
    marked: sent.length,
  };
}

export function isClean(found: Reconciled): boolean {
  const { lostAudit, otherCommand, unknownUsers, withoutRequest } = found;
  return [lostAudit, otherCommand, unknownUsers, withoutRequest].every((list) => list.length === 0);
}

/** By channel: the last position that the registry has handed out. */
async function readChannels(connection: Connection, at: number): Promise<Map<number, number>> {
  const { rows } = await connection.query(
    `select channel::float8 as channel, last_assigned::float8 as last_assigned from channels`,
  );
  const { rows: newest } = await connection.query('select max(frame)::float8 as frame from outbox');
  if (newest[0].frame > at) refuseBehind(`an outcome of frame ${newest[0].frame}`, at);
  return new Map(rows.map((row) => [row.channel, row.last_assigned]));
}

async function readSettled(connection: Connection): Promise<Map<number, number>> {
  const { rows } = await connection.query(
    `select channel::float8 as channel, max(sequence)::float8 as sequence from outbox
     where state <> 'waiting' group by channel`,
  );
  return new Map(rows.map((row) => [row.channel, row.sequence]));
}

function assertLogIsAhead({ replica }: LogFacts, settled: ReadonlyMap<number, number>): void {
  for (const [channel, sequence] of settled) {
    if (sequence <= replica.exchange.channelSequences[channel]) continue;
    refuseBehind(`an outcome of position ${sequence} of channel ${channel}`, replica.sequence);
  }
}

function refuseBehind(known: string, at: number): never {
  throw new ToolFault(
    `The registry has ${known}, which the log up to frame ${at} lacks. The log may be ahead of ` +
      'the registry, never behind: restore an older registry or more of the log.',
  );
}

/** The dispatcher looks for their outcome after this frame, and finds it. */
async function markSent(connection: Connection, sent: readonly MoneyCommand[]): Promise<void> {
  await connection.query(
    `update outbox o set sent_after_frame = least(s.frame, coalesce(o.sent_after_frame, s.frame))
     from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as s(channel, sequence, frame)
     where o.channel = s.channel and o.sequence = s.sequence and o.state = 'waiting'`,
    [
      sent.map(({ command }) => command.channel),
      sent.map(({ command }) => command.channelSequence),
      sent.map(({ frame }) => frame - 1),
    ],
  );
}

async function raiseChannels(
  connection: Connection,
  { replica }: LogFacts,
  assigned: ReadonlyMap<number, number>,
): Promise<string[]> {
  const raised: string[] = [];
  for (const channel of MONEY_CHANNELS) {
    const before = assigned.get(channel) ?? 0;
    const seen = replica.exchange.channelSequences[channel];
    if (seen <= before) continue;
    await connection.query(
      `insert into channels (channel, last_assigned) values ($1, $2)
       on conflict (channel) do update set last_assigned = excluded.last_assigned`,
      [channel, seen],
    );
    raised.push(`channel ${channel} continues after position ${seen} (was ${before})`);
  }
  return raised;
}

/** A new user, key or withdrawal must not get the number of another. */
async function raiseNumbers(connection: Connection, { largest }: LogFacts): Promise<string[]> {
  const raised: string[] = [];
  for (const [table, used] of [
    ['users', largest.user],
    ['api_keys', largest.key],
    ['withdrawal_requests', largest.withdrawal],
  ] as const) {
    const { rows } = await connection.query(`select pg_get_serial_sequence($1, 'id') as sequence`, [
      table,
    ]);
    const { sequence } = rows[0];
    const { rows: values } = await connection.query(
      `select case when is_called then last_value else last_value - 1 end::float8 as last
       from ${sequence}`,
    );
    const { last } = values[0];
    if (used <= last) continue;
    await connection.query('select setval($1::regclass, $2)', [sequence, used]);
    raised.push(`numbers of ${table} continue after ${used} (was ${last})`);
  }
  return raised;
}

async function unknownUsers(connection: Connection, { replica }: LogFacts): Promise<string[]> {
  const { rows } = await connection.query('select id::float8 as id from users');
  const known = new Set<number>(rows.map(({ id }) => id));
  const { users } = replica.exchange;
  const unknown: number[] = [];
  for (let slot = 1; slot <= users.size; slot++) {
    if (!known.has(users.id(slot))) unknown.push(users.id(slot));
  }
  return unknown.sort((a, b) => a - b).map((id) => `user ${id} has accounts in the engine`);
}

async function lostAudit(
  connection: Connection,
  { auditSequence }: LogFacts,
): Promise<readonly string[]> {
  const { rows } = await connection.query('select seq::float8 as seq from audit_head');
  const { seq } = rows[0];
  return auditSequence > seq ? [`audit entries ${seq + 1} to ${auditSequence} are lost`] : [];
}

function sentence(found: MoneyCommand, names: Names): string {
  const { command, frame, number, refusal, timeMs } = found;
  const { channel, channelSequence, kind } = command;
  const when = new Date(timeMs).toISOString();
  const decided = refusal === 'none' ? 'accepted' : `refused: ${refusal}`;
  const outcome = `${decided}, frame ${frame}, command ${number}`;
  const place = `channel ${channel} position ${channelSequence}`;
  return `${when} ${place}: ${kind} ${detailOf(command, names)} (${outcome})`;
}

function detailOf(command: ChannelCommand, names: Names): string {
  const words: string[] = [];
  if ('withdrawal' in command) words.push(`withdrawal ${command.withdrawal}`);
  if ('user' in command) words.push(`user ${command.user}`);
  if ('sender' in command) words.push(`from user ${command.sender} to user ${command.receiver}`);
  if ('amountAtoms' in command) words.push(names.amount(command.asset, command.amountAtoms));
  if ('reference' in command && command.reference !== '') words.push(command.reference);
  return words.join(', ');
}

function nameOf(channel: number, sequence: number): string {
  return `${channel}.${sequence}`;
}
