// Lists in the forms of the interface: a page with a count, all rows, or a file. Rows of a long
// list are read and sent in small batches; an answer never holds more than one batch. A list of
// operators has a twin at /csv: its handler under a second name (see protocol's list-file.ts).

import type { Caller } from '../../../features/auth/index.ts';
import { addressGroup } from '../../../infra/access/index.ts';
import {
  type Connection,
  isCanceledStatement,
  type Pool,
  withConnection,
} from '../../../infra/postgres/index.ts';
import type { Clock } from '../../../infra/process/index.ts';
import type { SortColumns } from '../../../infra/projections/index.ts';
import { type ListQuery, WEIGHT_FILE, WEIGHT_LIST } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { JSON_TYPE, JsonText, StreamedAnswer, type StreamedAnswerOptions } from '../handler.ts';
import { csvCells, csvLine, csvNames } from './csv.ts';
import { momentFilter } from './list-filters.ts';
import { RowReader } from './row-reader.ts';
import { Turns } from './turns.ts';

/** A row of any statement; each list knows its own rows. */
// biome-ignore lint/suspicious/noExplicitAny: the database's rows have no type until they are read
export type Row = any;

export interface ListSource {
  readonly pool: Pool;
  readonly clock: Clock;
  /** The statement in the given order (`order by …`); its last two values are limit and offset. */
  rows(order: string): string;
  /** Its last value is the highest count; null counts all. */
  readonly count: string;
  /** The values of the filters, which come first in both statements. */
  readonly values: readonly unknown[];
  /** The number of rows that pages reach and that are counted. */
  readonly rowsReachedMax?: number;
  /** The names that `order_by` accepts. */
  readonly sortColumns: SortColumns;
  /** The default order, and the order among equals: unique together, and indexed. */
  readonly defaultSort: readonly string[];
  /** A row as JSON. */
  write(row: Row): string;
  /** Names that only some rows have; a file has a column for each. */
  readonly optionalColumns?: readonly string[];
  /** The name of a file, without its extension. */
  readonly fileName: string;
  /** How long a file may take. */
  readonly lifeMsMax?: number;
}

export type ListRequest = ListQuery & { readonly format?: 'csv' | 'all' | undefined };

/** A page costs as much as all pages before it, so pages end here. Dates reach further back. */
export const ROWS_REACHED_MAX = 100_000;

/** Rows that are sorted for one answer. */
export const SORTED_ROWS_MAX = 10_000;

const PAGE_TURNS = { waitingPerCallerMax: 8, waitMsMax: 5_000 };
const PAGE_TIMEOUT_MS = 5_000;
const BEGIN_PAGE = `begin transaction isolation level repeatable read read only;
  set local statement_timeout = ${PAGE_TIMEOUT_MS}`;
const SLOW_RETRY_AFTER_S = 5;

/** Rows are sent together: a write for each of a million rows costs more than the rows. */
const CHUNK_CHARACTERS_MIN = 32_768;

/** The part of a call that a list needs. */
export interface ListCall {
  readonly query: ListRequest;
  readonly caller: Pick<Caller, 'user'> | undefined;
  /** The client's address. */
  readonly address: string;
  /** The header of a file without rows. */
  readonly columns?: readonly string[];
  charge(weight: number): Refused<'rate_limit_exceeded'> | undefined;
}

export type ListAnswer = JsonText | StreamedAnswer | Refused<ListRefusal>;

type ListRefusal =
  | 'dates_reversed'
  | 'list_too_slow'
  | 'order_by_needs_filter'
  | 'order_by_too_many_rows'
  | 'order_by_unknown'
  | 'rate_limit_exceeded'
  | 'too_many_rows';

export async function answerList(
  { address, caller, charge, columns = [], query }: ListCall,
  source: ListSource,
): Promise<ListAnswer> {
  const reversed = refuseReversedDates(query);
  if (reversed !== undefined) return reversed;
  const sorted = sortedRows(query, source);
  if (sorted instanceof Refused) return sorted;
  const { narrowedBy, sortedBy, statement } = sorted;
  const { clock, lifeMsMax, pool, rowsReachedMax = ROWS_REACHED_MAX, values, write } = source;
  const limited = query.format === undefined ? undefined : charge(WEIGHT_FILE - WEIGHT_LIST);
  if (limited !== undefined) return limited;
  const who = caller === undefined ? addressGroup(address) : `${caller.user}`;
  const isAll = query.format === 'all';
  const isPage = query.format === undefined;
  const { limit, page } = query;
  if (isPage && page * limit > rowsReachedMax) return new Refused('too_many_rows');
  // A complete list states its exact length; a page counts no further than pages reach, and a
  // sorted list no further than it is sorted.
  const countMax = sortedBy !== undefined ? SORTED_ROWS_MAX + 1 : isAll ? null : rowsReachedMax;
  const countRows = async (connection: Connection) => {
    const { rows } = await connection.query(source.count, [...values, countMax]);
    const count = Number(rows[0].count);
    if (sortedBy === undefined || count <= SORTED_ROWS_MAX) return count;
    return narrowedBy === undefined
      ? new Refused('order_by_too_many_rows', { name: sortedBy, count: SORTED_ROWS_MAX })
      : new Refused('order_by_needs_filter', { name: sortedBy, filter: narrowedBy });
  };
  const readAll = () =>
    RowReader.open({ ...source, who, statement, values: [...values, null, 0], lifeMsMax });
  if (isPage) {
    return readInTurn({ clock, pool, who }, async (connection) => {
      const count = await countRows(connection);
      if (count instanceof Refused) return count;
      const found = await connection.query(statement, [...values, limit, (page - 1) * limit]);
      const data = found.rows.map((row) => write(row)).join(',');
      return new JsonText(`{"count":${count},"data":[${data}]}`);
    });
  }
  const needsCount = isAll || sortedBy !== undefined;
  const count = needsCount ? await readInTurn({ clock, pool, who }, countRows) : 0;
  if (count instanceof Refused) return count;
  const reader = await readAll();
  if (reader instanceof Refused) return reader;
  return isAll ? answerAll(reader, count) : answerFile(reader, source, columns);
}

/** Pages of one pool that are read at the same time; other reads keep the rest of it. */
const turnsOf = new WeakMap<Pool, Turns>();

/**
 * A caller reads one page at a time, and callers follow one another. Both statements of a page see
 * the same rows, and neither runs for long.
 */
async function readInTurn<Result>(
  { clock, pool, who }: Pick<ListSource, 'clock' | 'pool'> & { readonly who: string },
  read: (connection: Connection) => Promise<Result>,
): Promise<Result | Refused<'list_too_slow' | 'rate_limit_exceeded'>> {
  const runningMax = Math.max(1, Math.floor(pool.options.max / 2));
  const turns = turnsOf.get(pool) ?? new Turns({ ...PAGE_TURNS, clock, runningMax });
  turnsOf.set(pool, turns);
  const endTurn = await turns.take(who);
  if (endTurn instanceof Refused) return endTurn;
  try {
    return await withConnection(pool, async (connection) => {
      await connection.query(BEGIN_PAGE);
      const result = await read(connection);
      await connection.query('commit');
      return result;
    });
  } catch (fault) {
    if (!isCanceledStatement(fault)) throw fault;
    return new Refused('list_too_slow', {}, SLOW_RETRY_AFTER_S);
  } finally {
    endTurn();
  }
}

function refuseReversedDates({
  end_date: end,
  start_date: start,
}: ListRequest): Refused<'dates_reversed'> | undefined {
  const [from, to] = [momentFilter(start), momentFilter(end)];
  const isReversed = from !== null && to !== null && from > to;
  return isReversed ? new Refused('dates_reversed') : undefined;
}

/** The statement in the requested order. */
export function orderedRows(
  query: SortRequest,
  source: SortedSource,
): string | Refused<'order_by_unknown'> {
  const sorted = sortedRows(query, source);
  return sorted instanceof Refused ? sorted : sorted.statement;
}

type SortRequest = Pick<ListRequest, 'order' | 'order_by'>;
type SortedSource = Pick<ListSource, 'defaultSort' | 'rows' | 'sortColumns'>;

interface SortedRows {
  readonly statement: string;
  /** The name of the column if no index orders it. */
  readonly sortedBy: string | undefined;
  /** The filter that would leave fewer rows; undefined if it is given. */
  readonly narrowedBy: string | undefined;
}

function sortedRows(
  query: SortRequest,
  { defaultSort, rows, sortColumns }: SortedSource,
): SortedRows | Refused<'order_by_unknown'> {
  const { order = 'desc', order_by: name } = query;
  if (name !== undefined && !Object.hasOwn(sortColumns, name)) {
    return new Refused('order_by_unknown', { name });
  }
  const column = name === undefined ? undefined : sortColumns[name];
  const isIndexed = column === undefined || typeof column === 'string';
  const narrowing = isIndexed ? undefined : column.narrowedBy;
  const first = column === undefined ? [] : [isIndexed ? column : column.by];
  const by = [...new Set([...first, ...defaultSort])].map((one) => `${one} ${order}`).join(', ');
  return {
    statement: rows(`order by ${by}`),
    sortedBy: isIndexed ? undefined : name,
    narrowedBy: narrowing === undefined || Object.hasOwn(query, narrowing) ? undefined : narrowing,
  };
}

function answerFile(
  reader: RowReader,
  { fileName, optionalColumns = [] }: ListSource,
  columns: readonly string[],
): StreamedAnswer {
  let names: readonly string[] | undefined;
  const line = (text: string) => {
    const isFirst = names === undefined;
    names ??= csvNames(text, optionalColumns);
    return (isFirst ? csvLine(names) : '') + csvLine(csvCells(text, names));
  };
  const chunks = each(reader, line, () => (names === undefined ? csvLine(columns) : ''));
  const type = 'text/csv; charset=utf-8';
  const onSlow = () => reader.blockCaller();
  return new StreamedAnswer({ status: 202, type, fileName: `${fileName}.csv`, onSlow, ...chunks });
}

function answerAll(reader: RowReader, count: number): StreamedAnswer {
  let before = `{"count":${count},"data":[`;
  const rows = (text: string) => {
    const chunk = before + text;
    before = ',';
    return chunk;
  };
  const chunks = each(reader, rows, () => (before === ',' ? ']}' : `${before}]}`));
  const onSlow = () => reader.blockCaller();
  return new StreamedAnswer({ status: 200, type: JSON_TYPE, onSlow, ...chunks });
}

/**
 * Maps each text of a reader, joins them to chunks, and appends a last one. Not a generator: if the
 * consumer gives up before the first text, `return` must still reach the reader; a generator that
 * has not started would not pass it on.
 */
function each(
  reader: RowReader,
  make: (text: string) => string,
  last?: () => string,
): Pick<StreamedAnswerOptions, 'chunks' | 'rowsRead'> {
  let isOver = false;
  let rows = 0;
  const chunks: AsyncIterableIterator<string> = {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (isOver) return { done: true, value: undefined };
      let chunk = '';
      while (!isOver && chunk.length < CHUNK_CHARACTERS_MIN) {
        const { done, value } = await reader.next();
        isOver = done === true;
        if (!isOver) rows += 1;
        chunk += isOver ? (last?.() ?? '') : make(value!);
      }
      return chunk === '' ? { done: true, value: undefined } : { done: false, value: chunk };
    },
    return: () => reader.return(),
  };
  return { chunks, rowsRead: () => rows };
}
