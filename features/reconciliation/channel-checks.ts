// Compares the outbox with the log in both directions: every assigned position has its row, every
// money command in the log equals its row's command with the same outcome, and every accepted one
// has the request that caused it.

import { SCHEMA_VERSION } from '../../core/messages/index.ts';
import { type Connection, inTransaction } from '../../infra/postgres/index.ts';
import {
  decodeRecord,
  encodeRecord,
  OUTBOX_CHANNELS,
  type OutboxCommand,
} from '../../platform/outbox/index.ts';
import {
  type Check,
  type CheckContext,
  type Difference,
  inSnapshot,
  type Place,
  stepRows,
} from './check.ts';
import type { EngineState } from './engine-state.ts';
import type { LoggedCommand } from './log-tail.ts';

const CHANNEL_NUMBERS: readonly number[] = Object.values(OUTBOX_CHANNELS);
const START: Place = ['0', '0'];
/** Each row is decoded. */
const OUTBOX_SHARE = 20;
/** Maximum named per step. */
const NAMED_MAX = 100;

/** Settled positions are in the engine, the engine has no others, and the commands agree. */
export const CHANNELS: Check = {
  name: 'channels',
  pauses: true,
  async walk(context, from = START) {
    const { connection, engine } = context;
    const before = new Map(CHANNEL_NUMBERS.map((one) => [one, engine.channelSequence(one)]));
    const fresh = await inTransaction(connection, () => recordCommands(context));
    const { ends, next, read } = await inSnapshot(connection, async () => {
      const all = await readEnds(connection);
      const total = all.reduce((sum, { assigned }) => sum + assigned, 0);
      const walk = spansFrom(from, all, stepRows(context, OUTBOX_SHARE, total));
      const spans = [...walk.spans, ...fresh];
      return { ends: all, next: walk.next, read: await readSpans(connection, spans) };
    });
    if (!(await engine.reach(Math.max(0, ...ends.map(({ frame }) => frame))))) return 'later';
    const differences = ends.flatMap((end) => comparePositions(end, engine, before));
    const assigned = new Map(ends.map((end) => [end.channel, end.assigned]));
    const commands = read.spans.flatMap((span) =>
      compareSpan(engine, read.record, { ...span, assigned: assigned.get(span.channel) ?? 0 }),
    );
    differences.push(...commands.slice(0, NAMED_MAX));
    const rows = read.spans.reduce((sum, span) => sum + span.rows.size, 0);
    return { frame: engine.frame, rows, differences, next };
  },
};

function comparePositions(
  { assigned, channel, settled }: ChannelEnd,
  engine: EngineState,
  before: ReadonlyMap<number, number>,
): Difference[] {
  const object = `channel ${channel}`;
  const seen = engine.channelSequence(channel);
  const seenBefore = before.get(channel) ?? 0;
  // A position is committed before it is sent, so a registry read later must have it.
  if (seenBefore > assigned) {
    const found = `${seenBefore} seen`;
    return [{ object, asset: undefined, expected: `at most ${assigned}`, found, isCertain: true }];
  }
  if (seen >= settled) return [];
  return [{ object, asset: undefined, expected: `${settled} settled`, found: `${seen} seen` }];
}

// ---- Commands ---------------------------------------------------------------------------------

interface Span {
  readonly channel: number;
  readonly after: number;
  readonly to: number;
}

interface OutboxRow {
  readonly command: OutboxCommand | undefined;
  readonly state: 'waiting' | 'accepted' | 'refused';
  readonly refusal: string;
  readonly frame: number;
  readonly number: number;
  readonly hasDeposit: boolean;
  readonly hasWithdrawal: boolean;
  /** A referral payout, or a staking movement. */
  readonly isInternal: boolean;
}

type Logged = Pick<LoggedCommand, 'number'> & {
  readonly command: OutboxCommand | undefined;
  readonly refusal: string;
};

interface ReadSpan extends Span {
  readonly rows: ReadonlyMap<number, OutboxRow>;
  readonly logged: ReadonlyMap<number, Logged>;
}

/** Recorded range of the log's commands. */
interface LogRecord {
  readonly afterNumber: number;
  readonly toFrame: number;
}

function compareSpan(
  engine: EngineState,
  record: LogRecord,
  { after, assigned, channel, logged, rows, to }: ReadSpan & { readonly assigned: number },
): Difference[] {
  const positions = new Set([...rows.keys(), ...logged.keys()]);
  for (let at = after + 1; at <= Math.min(to, assigned); at++) positions.add(at);
  return [...positions]
    .sort((one, other) => one - other)
    .flatMap((sequence) => {
      const row = rows.get(sequence);
      const inLog = logged.get(sequence);
      const pair = comparePair(record, row, inLog, sequence > assigned);
      if (pair === undefined) return [];
      const command = inLog?.command ?? row?.command;
      return [
        { object: `outbox ${channel}/${sequence}`, asset: assetOf(engine, command), ...pair },
      ];
    });
}

type Pair = Pick<Difference, 'expected' | 'found' | 'isCertain'>;

function comparePair(
  record: LogRecord,
  row: OutboxRow | undefined,
  logged: Logged | undefined,
  isBeyond: boolean,
): Pair | undefined {
  if (row === undefined) {
    const expected = logged === undefined ? 'a row' : textOf(logged.command);
    return { expected, found: 'no row', isCertain: true };
  }
  if (isBeyond) return { expected: 'no row', found: textOf(row.command), isCertain: true };
  const isSettled = row.state !== 'waiting';
  if (logged === undefined) {
    // Settled after the record was read, or before the record begins.
    const isUnknown = row.frame > record.toFrame || row.number <= record.afterNumber;
    if (!isSettled || isUnknown) return missingRequest(row);
    return { expected: outcomeOf(row), found: 'nothing in the log', isCertain: true };
  }
  const [expected, found] = [textOf(logged.command), textOf(row.command)];
  if (expected !== found) return { expected, found, isCertain: true };
  if (isSettled && outcomeOf(row) !== outcomeOf(logged)) {
    return { expected: outcomeOf(logged), found: outcomeOf(row), isCertain: true };
  }
  return missingRequest(row);
}

/** Every accepted command has its cause, except those requested directly by operators. */
function missingRequest({ command, ...row }: OutboxRow): Pair | undefined {
  if (row.state !== 'accepted' || command === undefined) return undefined;
  switch (command.kind) {
    case 'CreditDeposit':
    case 'MintAsset':
      return row.hasDeposit ? undefined : { expected: 'a deposit request', found: 'none' };
    case 'BurnAsset':
    case 'OpenWithdrawal':
    case 'CompleteWithdrawal':
    case 'CancelWithdrawal':
      return row.hasWithdrawal ? undefined : { expected: 'a withdrawal request', found: 'none' };
    case 'TransferAsset':
      if (row.isInternal || (row.hasDeposit && row.hasWithdrawal)) return undefined;
      return { expected: 'a request, payout or movement', found: 'none' };
    case 'SettleFees':
    case 'TradeDirectly':
      return undefined;
  }
}

function outcomeOf({ number, refusal }: Pick<Logged, 'number' | 'refusal'>): string {
  const outcome = refusal === 'none' ? 'accepted' : refusal;
  return `${outcome}, command ${number}`;
}

/** Returns the same text for the same command. */
function textOf(command: OutboxCommand | undefined): string {
  if (command === undefined) return 'an unreadable record';
  const { kind, ...fields } = command;
  const pairs = Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1));
  return [kind, ...pairs.map(([name, value]) => `${name} ${value}`)].join(' ');
}

function assetOf(engine: EngineState, command: OutboxCommand | undefined): string | undefined {
  return command !== undefined && 'asset' in command
    ? engine.assetOf(command.asset).symbol
    : undefined;
}

// ---- The record of the log --------------------------------------------------------------------

/** Records the money commands that are new in the log. Returns their positions. */
async function recordCommands({ connection, engine }: CheckContext): Promise<Span[]> {
  await connection.query(
    `insert into log_record (commands_after, commands_to_frame, ranges_to_frame)
     values (0, 0, 0) on conflict do nothing`,
  );
  const { rows } = await connection.query('select commands_to_frame from log_record for update');
  const recordedTo = Number(rows[0].commands_to_frame);
  const { after, items, numbersAfter, to } = engine.log.commandsAfter(recordedTo);
  if (to <= recordedTo) return [];
  for (const logged of items) await insertLogged(connection, logged);
  await connection.query(
    `update log_record set commands_to_frame = $1,
       commands_after = case when $2 then $3 else commands_after end`,
    [to, after > recordedTo, numbersAfter],
  );
  return CHANNEL_NUMBERS.flatMap((channel) => {
    const sequences = items.flatMap(({ command }) =>
      command.channel === channel ? [command.channelSequence] : [],
    );
    if (sequences.length === 0) return [];
    return [{ channel, after: sequences[0] - 1, to: sequences[sequences.length - 1] }];
  });
}

async function insertLogged(connection: Connection, logged: LoggedCommand): Promise<void> {
  const { command: whole, frame, number, refusal } = logged;
  const { channel, channelSequence: sequence, number: _, source: __, ...command } = whole;
  await connection.query(
    `insert into logged_commands (channel, sequence, command_number, frame, refusal,
       schema_version, record)
     values ($1, $2, $3, $4, nullif($5, 'none'), $6, $7) on conflict do nothing`,
    [
      channel,
      sequence,
      number,
      frame,
      refusal,
      SCHEMA_VERSION,
      encodeRecord({ channel, sequence, command: command as OutboxCommand }),
    ],
  );
}

interface ChannelEnd {
  readonly channel: number;
  /** Last assigned position. */
  readonly assigned: number;
  /** Last position before the first one without an outcome, and the frame of its outcome. */
  readonly settled: number;
  readonly frame: number;
}

async function readEnds(connection: Connection): Promise<ChannelEnd[]> {
  const { rows } = await connection.query(
    `select w.channel, w.assigned, w.settled, coalesce(o.frame, 0) as frame
     from (
       select n.channel, coalesce(c.last_assigned, 0) as assigned, coalesce((
           select min(sequence) - 1 from outbox o
           where o.channel = n.channel and o.state = 'waiting'
         ), c.last_assigned, 0) as settled
       from unnest($1::bigint[]) as n(channel) left join channels c on c.channel = n.channel
     ) w
     left join outbox o on o.channel = w.channel and o.sequence = w.settled
     order by w.channel`,
    [CHANNEL_NUMBERS],
  );
  return rows.map((row) => ({
    channel: Number(row.channel),
    assigned: Number(row.assigned),
    settled: Number(row.settled),
    frame: Number(row.frame),
  }));
}

/** Returns the next positions, channel by channel, and where the next step continues. */
function spansFrom(
  [fromChannel, fromSequence]: Place,
  ends: readonly ChannelEnd[],
  stepMax: number,
): { readonly spans: readonly Span[]; readonly next: Place | undefined } {
  const spans: Span[] = [];
  let left = stepMax;
  for (const { assigned, channel } of ends) {
    if (channel < Number(fromChannel)) continue;
    const after = channel === Number(fromChannel) ? Number(fromSequence) : 0;
    if (left <= 0) return { spans, next: [`${channel}`, `${after}`] };
    if (after + left < assigned) {
      const to = after + left;
      return { spans: [...spans, { channel, after, to }], next: [`${channel}`, `${to}`] };
    }
    // Includes rows whose position was never assigned.
    spans.push({ channel, after, to: Number.MAX_SAFE_INTEGER });
    left -= assigned - after;
  }
  return { spans, next: undefined };
}

async function readSpans(
  connection: Connection,
  spans: readonly Span[],
): Promise<{ readonly record: LogRecord; readonly spans: readonly ReadSpan[] }> {
  const { rows } = await connection.query('select * from log_record');
  const record = {
    afterNumber: Number(rows[0].commands_after),
    toFrame: Number(rows[0].commands_to_frame),
  };
  const read: ReadSpan[] = [];
  for (const span of spans) read.push(await readSpan(connection, span));
  return { record, spans: read };
}

async function readSpan(connection: Connection, span: Span): Promise<ReadSpan> {
  const values = [span.channel, span.after, span.to];
  const outbox = await connection.query(
    `select o.sequence, o.schema_version, o.record, o.state, o.refusal, o.frame, o.command_number,
       d.id is not null as has_deposit, w.id is not null as has_withdrawal,
       o.kind = 'TransferAsset' and (
         exists (select from referral_payouts p
           where p.channel = o.channel and p.sequence = o.sequence)
         or exists (select from stake_movements s
           where s.channel = o.channel and s.sequence = o.sequence)) as is_internal
     from outbox o
     left join deposit_requests d on d.id = o.deposit_request
     left join withdrawal_requests w on w.id = o.withdrawal_request
     where o.channel = $1 and o.sequence > $2 and o.sequence <= $3`,
    values,
  );
  const logged = await connection.query(
    `select sequence, schema_version, record, refusal, command_number from logged_commands
     where channel = $1 and sequence > $2 and sequence <= $3`,
    values,
  );
  return {
    ...span,
    rows: new Map(outbox.rows.map((row) => [Number(row.sequence), outboxRowOf(row)])),
    logged: new Map(
      logged.rows.map((row) => [
        Number(row.sequence),
        {
          command: commandOf(row),
          refusal: row.refusal ?? 'none',
          number: Number(row.command_number),
        },
      ]),
    ),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function outboxRowOf(row: any): OutboxRow {
  return {
    command: commandOf(row),
    state: row.state,
    refusal: row.refusal ?? 'none',
    frame: Number(row.frame ?? 0),
    number: Number(row.command_number ?? 0),
    hasDeposit: row.has_deposit,
    hasWithdrawal: row.has_withdrawal,
    isInternal: row.is_internal,
  };
}

/** Returns undefined if the record cannot be read. */
export function commandOf(row: {
  readonly record: Uint8Array;
  readonly schema_version: string;
}): OutboxCommand | undefined {
  try {
    return decodeRecord(row.record, Number(row.schema_version));
  } catch {
    return undefined;
  }
}
