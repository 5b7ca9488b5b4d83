// Lists in the forms of the interface: a page with a count, all rows, or a file. Rows of a long
// list are read and sent in small batches; an answer never holds more than one batch. A list of
// operators has a twin at /csv: its handler under a second name (see protocol's list-file.ts).

import type { Caller } from '../../../domain/credentials/index.ts';
import type { Pool } from '../../../infra/postgres/index.ts';
import type { Clock } from '../../../infra/process/index.ts';
import type { ListQuery } from '../../../protocol/index.ts';
import { WEIGHT_FILE, WEIGHT_LIST } from '../../../protocol/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import { JsonText, StreamedAnswer, type StreamedAnswerOptions } from '../handler.ts';
import { csvCells, csvLine, csvNames } from './csv.ts';
import { RowReader } from './row-reader.ts';

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
  /** The names that `order_by` accepts, and the column that each sorts by. */
  readonly sortColumns: Readonly<Record<string, string>>;
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

/** Rows are sent together: a write for each of a million rows costs more than the rows. */
const CHUNK_CHARACTERS_MIN = 32_768;

/** The part of a call that a list needs. */
export interface ListCall {
  readonly query: ListRequest;
  readonly caller: Pick<Caller, 'user'> | undefined;
  /** The client's address. */
  readonly address: string;
  charge(weight: number): void;
}

export async function answerList(
  { address, caller, charge, query }: ListCall,
  source: ListSource,
): Promise<JsonText | StreamedAnswer> {
  const rows = orderedRows(query, source);
  const { clock, lifeMsMax, pool, rowsReachedMax = ROWS_REACHED_MAX, write } = source;
  const { values } = source;
  if (query.format !== undefined) charge(WEIGHT_FILE - WEIGHT_LIST);
  const who = caller === undefined ? address : `${caller.user}`;
  const all = { statement: rows, values: [...values, null, 0] };
  const readAll = () => RowReader.open({ pool, clock, who, ...all, write, lifeMsMax });
  if (query.format === 'csv') return answerFile(await readAll(), source);
  const isAll = query.format === 'all';
  const { limit, page } = query;
  if (!isAll && page * limit > rowsReachedMax) throw new ApiRefusal('too_many_rows');
  // A complete list states its exact length; a page counts no further than pages reach.
  const countMax = isAll ? null : rowsReachedMax;
  const { rows: counted } = await pool.query(source.count, [...values, countMax]);
  const count = Number(counted[0].count);
  if (isAll) return answerAll(await readAll(), count);
  const found = await pool.query(rows, [...values, limit, (page - 1) * limit]);
  const data = found.rows.map((row) => write(row)).join(',');
  return new JsonText(`{"count":${count},"data":[${data}]}`);
}

/** The statement in the requested order. */
export function orderedRows(
  { order = 'desc', order_by }: Pick<ListRequest, 'order' | 'order_by'>,
  source: Pick<ListSource, 'defaultSort' | 'rows' | 'sortColumns'>,
): string {
  const { defaultSort, sortColumns } = source;
  if (order_by !== undefined && !Object.hasOwn(sortColumns, order_by)) {
    throw new ApiRefusal('order_by_unknown', { name: order_by });
  }
  const columns = new Set(
    order_by === undefined ? defaultSort : [sortColumns[order_by], ...defaultSort],
  );
  const by = [...columns].map((column) => `${column} ${order}`).join(', ');
  return source.rows(`order by ${by}`);
}

async function answerFile(
  reader: RowReader,
  { fileName, optionalColumns = [] }: ListSource,
): Promise<StreamedAnswer> {
  if (reader.isEmpty) throw new ApiRefusal('no_rows_for_csv');
  let names: readonly string[] | undefined;
  const chunks = each(reader, (text) => {
    const isFirst = names === undefined;
    names ??= csvNames(text, optionalColumns);
    return (isFirst ? csvLine(names) : '') + csvLine(csvCells(text, names));
  });
  const type = 'text/csv; charset=utf-8';
  return new StreamedAnswer({ status: 202, type, fileName: `${fileName}.csv`, ...chunks });
}

function answerAll(reader: RowReader, count: number): StreamedAnswer {
  let before = `{"count":${count},"data":[`;
  const rows = (text: string) => {
    const chunk = before + text;
    before = ',';
    return chunk;
  };
  const chunks = each(reader, rows, () => (before === ',' ? ']}' : `${before}]}`));
  return new StreamedAnswer({ status: 200, type: 'application/json; charset=utf-8', ...chunks });
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
