// Compares ledger entries, trades and fills with the log. The reconciler stores digests of the rows
// that follow from each range of frames, read from the log; the rows must have the same digests.

import { createHash } from 'node:crypto';
import { type Connection, inTransaction, type Statements } from '../../infra/postgres/index.ts';
import {
  type Check,
  type CheckContext,
  type Difference,
  inSnapshot,
  type Place,
  projectedFrame,
  stepRows,
} from './check.ts';
import {
  ENTRY_LINE,
  ENTRY_ORDER,
  type LoggedFrame,
  type RowsDigest,
  TRADE_LINE,
  TRADE_ORDER,
} from './log-tail.ts';

/** A range is complete when it has this many rows. */
const RANGE_ROWS = 4_096;
/** Old ranges get `rowsMax` divided by this number per step, or more if there are many. */
const OLD_SHARE = 5;
const START: Place = ['0'];
const NO_DIGEST = Buffer.alloc(32);

interface Rows {
  readonly rows: number;
  readonly digest: Buffer;
}

interface Range {
  readonly from: number;
  readonly to: number;
  /** In milliseconds; undefined without rows. */
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  readonly entries: Rows;
  readonly trades: Rows;
  readonly isFromLog: boolean;
}

/**
 * Each step records the frames that are new in the tables and compares their rows, and those of the
 * next old ranges. A frame's rows never change, so a discrepancy counts immediately.
 */
export const LOG: Check = {
  name: 'log',
  pauses: true,
  async walk(context, from = START) {
    const { connection, engine, projectionSchema } = context;
    const frame = await projectedFrame(connection, projectionSchema);
    if (frame === undefined || !(await engine.reach(frame))) return 'later';
    const recorded = await inTransaction(connection, () => recordFrames(context, frame));
    const { isEnd, ranges: old } = await readRanges(connection, Number(from[0]), {
      to: frame,
      rowsMax: stepRows(context, OLD_SHARE, await countRows(connection)),
    });
    const seen = new Set(old.map((range) => range.from));
    const fresh = recorded.filter((range) => !seen.has(range.from));
    const differences: Difference[] = [];
    let rows = 0;
    for (const ranges of [old, fresh]) {
      if (ranges.length === 0) continue;
      const found = await inSnapshot(connection, () => readRows(context, ranges));
      for (const range of ranges) {
        rows += range.entries.rows + range.trades.rows;
        differences.push(...compare(range, found));
      }
    }
    const next = isEnd ? undefined : [`${old[old.length - 1].to}`];
    return { frame, rows, differences, next };
  },
};

function compare(range: Range, found: FoundRows): Difference[] {
  const { from, to } = range;
  const frames = `frames ${from} to ${to}`;
  const parts = [
    ['ledger entries', range.entries, rowsWithin(found.entries, range)],
    ['trades and fills', range.trades, rowsWithin(found.trades, range)],
  ] as const;
  return parts.flatMap(([name, logged, stored]) => {
    if (logged.digest.equals(stored.digest)) return [];
    const other = stored.rows === logged.rows ? ' with other values' : '';
    return [
      {
        object: `${name} from frame ${from}`,
        asset: undefined,
        expected: `${logged.rows} of ${frames} as in the log`,
        found: `${stored.rows}${other}`,
        isCertain: true,
      },
    ];
  });
}

// ---- Recording --------------------------------------------------------------------------------

/** Records frames up to `to`, in the caller's transaction. Returns the changed ranges. */
async function recordFrames(context: CheckContext, to: number): Promise<Range[]> {
  const { connection, engine } = context;
  const recordedTo = await lockRecord(connection);
  const part = engine.log.framesBetween(recordedTo, to);
  if (part.after > recordedTo) {
    // No longer in the log, so only the rows themselves show what they were.
    return sealAsFound(context, { after: recordedTo, to: Math.min(part.after, to) });
  }
  const last = await readLastRange(connection);
  const changed: Range[] = [];
  let range = last?.isFromLog ? last : undefined;
  let start = last?.to ?? 0;
  for (const frame of part.items) {
    if (range !== undefined && rowsOf(range) >= RANGE_ROWS) {
      if (range !== last) changed.push(range);
      start = range.to;
      range = undefined;
    }
    range = extend(range ?? emptyRange(start + 1, true), frame);
  }
  if (range !== undefined && range !== last) changed.push(range);
  await writeRanges(connection, changed, part.to);
  return changed;
}

/** Returns the frame at which a replica can start without missing any unrecorded frame, or 0. */
export async function readRecordedFrame(statements: Statements): Promise<number> {
  const { rows } = await statements.query(
    'select least(commands_to_frame, ranges_to_frame) as frame from log_record',
  );
  return Number(rows[0]?.frame ?? 0);
}

/** Returns the last recorded frame. */
async function lockRecord(connection: Connection): Promise<number> {
  await connection.query(
    `insert into log_record (commands_after, commands_to_frame, ranges_to_frame)
     values (0, 0, 0) on conflict do nothing`,
  );
  const { rows } = await connection.query('select ranges_to_frame from log_record for update');
  return Number(rows[0].ranges_to_frame);
}

function emptyRange(from: number, isFromLog: boolean): Range {
  const none: Rows = { rows: 0, digest: NO_DIGEST };
  const times = { fromMs: undefined, toMs: undefined };
  return { from, to: from, ...times, entries: none, trades: none, isFromLog };
}

function rowsOf({ entries, trades }: Range): number {
  return entries.rows + trades.rows;
}

function extend(range: Range, { entries, frame, timeMs, trades }: LoggedFrame): Range {
  return {
    ...range,
    to: frame,
    fromMs: range.fromMs ?? timeMs,
    toMs: timeMs,
    entries: fold(range.entries, frame, entries),
    trades: fold(range.trades, frame, trades),
  };
}

/** Chains the digests of frames with rows. */
function fold({ digest, rows }: Rows, frame: number, added: RowsDigest | undefined): Rows {
  if (added === undefined) return { digest, rows };
  const hash = createHash('sha256').update(digest).update(`${frame}`).update(added.digest);
  return { rows: rows + added.rows, digest: hash.digest() };
}

/** Seals rows of frames that the tail lacks, so later changes are detected. */
async function sealAsFound(
  context: CheckContext,
  { after, to }: { readonly after: number; readonly to: number },
): Promise<Range[]> {
  const { connection, projectionSchema, rowsMax } = context;
  const { rows } = await connection.query(
    `select max(frame) as frame, count(*) as rows from (
       select frame from ${projectionSchema}.ledger_entries
       where frame > $1 and frame <= $2 order by frame limit $3) part`,
    [after, to, rowsMax],
  );
  const end = Number(rows[0].rows) < rowsMax ? to : Number(rows[0].frame);
  const found = await readFrames(context, { from: after + 1, to: end });
  const ranges: Range[] = [];
  let range = emptyRange(after + 1, false);
  for (const frame of found) {
    if (rowsOf(range) >= RANGE_ROWS) {
      ranges.push(range);
      range = emptyRange(range.to + 1, false);
    }
    range = extend(range, frame);
  }
  ranges.push({ ...range, to: end });
  await writeRanges(connection, ranges, end);
  return [];
}

async function writeRanges(
  connection: Connection,
  ranges: readonly Range[],
  to: number,
): Promise<void> {
  for (const range of ranges) {
    const { entries, from, fromMs, isFromLog, toMs, trades } = range;
    await connection.query(
      `insert into log_ranges (from_frame, to_frame, from_time, to_time, entries, entries_digest,
         trades, trades_digest, is_from_log)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (from_frame) do update set to_frame = excluded.to_frame,
         from_time = excluded.from_time, to_time = excluded.to_time, entries = excluded.entries,
         entries_digest = excluded.entries_digest, trades = excluded.trades,
         trades_digest = excluded.trades_digest`,
      [
        from,
        range.to,
        fromMs === undefined ? null : new Date(fromMs),
        toMs === undefined ? null : new Date(toMs),
        entries.rows,
        entries.digest,
        trades.rows,
        trades.digest,
        isFromLog,
      ],
    );
  }
  await connection.query('update log_record set ranges_to_frame = $1', [to]);
}

// ---- Reading ----------------------------------------------------------------------------------

const RANGE = `select from_frame, to_frame, from_time, to_time, entries, entries_digest, trades,
  trades_digest, is_from_log from log_ranges`;

async function readLastRange(connection: Connection): Promise<Range | undefined> {
  const { rows } = await connection.query(`${RANGE} order by to_frame desc limit 1`);
  return rows.map(rangeOf)[0];
}

/** Approximate. */
async function countRows(connection: Connection): Promise<number> {
  const { rows } = await connection.query('select count(*) as ranges from log_ranges');
  return Number(rows[0].ranges) * RANGE_ROWS;
}

/** Ranges that end after a frame, in order, with at most `rowsMax` rows or one range. */
async function readRanges(
  connection: Connection,
  after: number,
  { rowsMax, to }: { readonly to: number; readonly rowsMax: number },
): Promise<{ readonly ranges: readonly Range[]; readonly isEnd: boolean }> {
  const rangesMax = Math.ceil(rowsMax / RANGE_ROWS);
  const { rows } = await connection.query(
    `${RANGE} where to_frame > $1 and to_frame <= $2 order by to_frame limit $3`,
    [after, to, rangesMax + 1],
  );
  const ranges: Range[] = [];
  let sum = 0;
  for (const range of rows.slice(0, rangesMax).map(rangeOf)) {
    if (sum > 0 && sum + rowsOf(range) > rowsMax) break;
    sum += rowsOf(range);
    ranges.push(range);
  }
  return { ranges, isEnd: ranges.length === rows.length };
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function rangeOf(row: any): Range {
  return {
    from: Number(row.from_frame),
    to: Number(row.to_frame),
    fromMs: row.from_time?.getTime(),
    toMs: row.to_time?.getTime(),
    entries: { rows: Number(row.entries), digest: row.entries_digest },
    trades: { rows: Number(row.trades), digest: row.trades_digest },
    isFromLog: row.is_from_log,
  };
}

interface FoundRows {
  readonly entries: readonly FrameRows[];
  readonly trades: readonly FrameRows[];
}

interface FrameRows extends RowsDigest {
  readonly frame: number;
  readonly timeMs: number;
}

interface FrameSpan {
  readonly from: number;
  readonly to: number;
  /** Time limits of rows; undefined for none. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

function rowsWithin(found: readonly FrameRows[], { from, to }: Range): Rows {
  let rows: Rows = { rows: 0, digest: NO_DIGEST };
  for (const one of found) {
    if (one.frame >= from && one.frame <= to) rows = fold(rows, one.frame, one);
  }
  return rows;
}

/** Rows of these contiguous ranges. */
function readRows(context: CheckContext, ranges: readonly Range[]): Promise<FoundRows> {
  const times = ranges.flatMap(({ fromMs, toMs }) => [fromMs ?? [], toMs ?? []].flat());
  return readFoundRows(context, {
    from: ranges[0].from,
    to: ranges[ranges.length - 1].to,
    fromMs: times.length === 0 ? 0 : Math.min(...times),
    toMs: times.length === 0 ? 0 : Math.max(...times),
  });
}

async function readFrames(context: CheckContext, span: FrameSpan): Promise<LoggedFrame[]> {
  const { entries, trades } = await readFoundRows(context, span);
  const ofTrades = new Map(trades.map((one) => [one.frame, one]));
  return entries.map(({ frame, timeMs, ...rest }) => ({
    frame,
    timeMs,
    entries: rest,
    trades: ofTrades.get(frame),
  }));
}

async function readFoundRows(
  { connection, projectionSchema: schema }: CheckContext,
  { from, fromMs, to, toMs }: FrameSpan,
): Promise<FoundRows> {
  const values = [
    from,
    to,
    fromMs === undefined ? '-infinity' : new Date(fromMs),
    toMs === undefined ? 'infinity' : new Date(toMs),
  ];
  const entries = await connection.query(
    `select frame, recorded_at as at, count(*) as rows, ${digest(ENTRY_LINE, ENTRY_ORDER)}
     from ${schema}.ledger_entries
     where frame between $1 and $2 and recorded_at between $3 and $4
     group by frame, recorded_at order by frame, recorded_at`,
    values,
  );
  const trades = await connection.query(
    `select t.frame, t.executed_at as at, count(*) as rows, ${digest(TRADE_LINE, TRADE_ORDER)}
     from ${schema}.trades t
     left join ${schema}.fills m on m.user_id = t.maker_id and m.executed_at = t.executed_at
       and m.trade = t.number and m.liquidity = 'maker'
     left join ${schema}.fills k on k.user_id = t.taker_id and k.executed_at = t.executed_at
       and k.trade = t.number and k.liquidity = 'taker'
     where t.frame between $1 and $2 and t.executed_at between $3 and $4
     group by t.frame, t.executed_at order by t.frame, t.executed_at`,
    values,
  );
  return { entries: entries.rows.map(frameRowsOf), trades: trades.rows.map(frameRowsOf) };
}

function digest(line: string, order: string): string {
  return `sha256(convert_to(string_agg(${line}, E'\\n' order by ${order}), 'UTF8')) as digest`;
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function frameRowsOf(row: any): FrameRows {
  return {
    frame: Number(row.frame),
    timeMs: row.at.getTime(),
    rows: Number(row.rows),
    digest: row.digest,
  };
}
