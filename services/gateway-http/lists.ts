// Lists as the interface has them: a page with a count, all rows, or a file. Rows of a long list
// are read and sent a few at a time: an answer never holds more of them than that.

import type { Pool, PoolClient } from '../../infra/postgres/index.ts';
import type { ListQuery } from '../../protocol/index.ts';
import { WEIGHT_FILE, WEIGHT_LIST } from '../../protocol/index.ts';
import { ApiRefusal } from './api-refusal.ts';
import { csvLine, csvRow } from './csv.ts';
import { JsonText, StreamedAnswer } from './handler.ts';

/** Whatever a statement gives; each list knows its own rows. */
// biome-ignore lint/suspicious/noExplicitAny: the database's rows have no type until they are read
export type Row = any;

export interface ListSource {
  readonly pool: Pool;
  /** The statement, given its `order by …`; its last two values are limit and offset. */
  rows(order: string): string;
  readonly count: string;
  /** Of the filters: all numbers before those of limit and offset. */
  readonly values: readonly unknown[];
  /** What the count wants behind them. */
  readonly counts?: readonly unknown[];
  /** What `order_by` may name, and by what it sorts. */
  readonly orders: Readonly<Record<string, string>>;
  /** Sorts when nothing is said, and among equals; indexed in this order, and unique. */
  readonly key: readonly string[];
  /** A row as JSON. */
  write(row: Row): string;
  /** What a file is called, without its end. */
  readonly fileName: string;
}

export type ListAsked = ListQuery & { readonly format?: 'csv' | 'all' | undefined };

const ROWS_AT_ONCE = 500;
/** The last order of a statement: those before it belong to questions inside of it. */
const ORDER_AND_PAGE = /order by (?:(?!order by)[\s\S])* limit (\$\d+) offset (\$\d+)\s*$/;

export async function answerList(
  { charge, query }: { readonly query: ListAsked; charge(weight: number): void },
  source: ListSource,
): Promise<JsonText | StreamedAnswer> {
  const rows = orderedRows(query, source);
  if (query.format !== undefined) charge(WEIGHT_FILE - WEIGHT_LIST);
  const { pool, values } = source;
  if (query.format === 'csv') return answerFile(rows, source);
  const { rows: counted } = await pool.query(source.count, [...values, ...(source.counts ?? [])]);
  const count = Number(counted[0].count);
  if (query.format === 'all') return answerAll(rows, source, count);
  const { limit, page } = query;
  const found = await pool.query(rows, [...values, limit, (page - 1) * limit]);
  const data = found.rows.map((row) => source.write(row)).join(',');
  return new JsonText(`{"count":${count},"data":[${data}]}`);
}

function orderedRows({ order = 'desc', order_by }: ListAsked, source: ListSource): string {
  const { key, orders } = source;
  if (order_by !== undefined && !Object.hasOwn(orders, order_by)) {
    throw new ApiRefusal('order_by_unknown', { name: order_by });
  }
  const columns = new Set(order_by === undefined ? key : [orders[order_by], ...key]);
  const by = [...columns].map((column) => `${column} ${order}`).join(', ');
  return source.rows(`order by ${by}`);
}

/** A statement that ends with its order and page, with another order. */
export function inOrder(statement: string): ListSource['rows'] {
  return (order) =>
    statement.replace(
      ORDER_AND_PAGE,
      (_found, limit: string, offset: string) => `${order} limit ${limit} offset ${offset}`,
    );
}

async function answerFile(rows: string, source: ListSource): Promise<StreamedAnswer> {
  const reading = readRows(rows, source);
  const first = await reading.next();
  if (first.done === true) throw new ApiRefusal('no_rows_for_csv');
  return new StreamedAnswer({
    status: 202,
    type: 'text/csv; charset=utf-8',
    fileName: `${source.fileName}.csv`,
    chunks: lines(),
  });

  async function* lines(): AsyncGenerator<string, void> {
    const [header, line] = csvRow(first.value as string);
    yield csvLine(header) + csvLine(line);
    for await (const text of reading) yield csvLine(csvRow(text)[1]);
  }
}

function answerAll(rows: string, source: ListSource, count: number): StreamedAnswer {
  return new StreamedAnswer({
    status: 200,
    type: 'application/json; charset=utf-8',
    chunks: all(),
  });

  async function* all(): AsyncGenerator<string, void> {
    yield `{"count":${count},"data":[`;
    let comma = '';
    for await (const text of readRows(rows, source)) {
      yield comma + text;
      comma = ',';
    }
    yield ']}';
  }
}

/** Every row as JSON, from one state of the tables, a few at a time. */
async function* readRows(rows: string, source: ListSource): AsyncGenerator<string, void> {
  const { pool, values, write } = source;
  const connection: PoolClient = await pool.connect();
  let isWhole = false;
  try {
    await connection.query('begin transaction isolation level repeatable read read only');
    await connection.query(`declare listed no scroll cursor for ${rows}`, [...values, null, 0]);
    for (;;) {
      const found = await connection.query(`fetch ${ROWS_AT_ONCE} from listed`);
      if (found.rows.length === 0) break;
      for (const row of found.rows) yield write(row);
    }
    await connection.query('commit');
    isWhole = true;
  } finally {
    // Whoever hangs up half way leaves a transaction behind: such a connection is not used again.
    connection.release(!isWhole);
  }
}
