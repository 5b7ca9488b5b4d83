// Moves sealed values to the active key-encryption key while the exchange runs. Each batch is one
// statement that changes only rows whose seal has not changed since it was read, so a concurrent
// write wins. If the process is killed, every row is readable and the next run continues.

import { idOf, type Statements } from '../../../infra/postgres/index.ts';
import { SealFault, type Vault } from '../../../platform/vault/index.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';

export interface RewrapResult {
  readonly moved: number;
  /** Rows that cannot be opened: changed outside this code, or sealed with a lost key. */
  readonly broken: number;
  /** Rows that were locked or changed on every attempt. */
  readonly left: number;
}

/** Called after each page, with the rows moved so far. */
export type OnPage = (table: string, moved: number) => void;

// biome-ignore lint/suspicious/noExplicitAny: a row from the driver.
type Row = any;

const PAGE_ROWS = 1_000;
/** Number of attempts for rows that another transaction had locked or changed. */
const PASSES_MAX = 5;

export async function rewrapAll(
  statements: Statements,
  vault: Vault,
  onPage: OnPage = () => {},
): Promise<RewrapResult> {
  const total = { moved: 0, broken: 0, left: 0 };
  for (const sealed of SEALED_COLUMNS) {
    let pass = { moved: 0, broken: 0, left: 0 };
    for (let count = 1; count <= PASSES_MAX; count++) {
      pass = await rewrapOnce(statements, vault, sealed, (moved) =>
        onPage(sealed.table, total.moved + moved),
      );
      total.moved += pass.moved;
      if (pass.left === 0) break;
    }
    total.broken += pass.broken;
    total.left += pass.left;
  }
  return total;
}

/** Returns the number of values that each key seals. */
export async function countSealed(statements: Statements): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  for (const sealed of SEALED_COLUMNS) {
    for await (const page of pagesOf(statements, sealed, 'kek_id')) {
      for (const { kek_id } of page) {
        if (kek_id === null) continue;
        const id = idOf<number>(kek_id);
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
    }
  }
  return counts;
}

async function rewrapOnce(
  statements: Statements,
  vault: Vault,
  sealed: SealedColumn,
  onPage: (moved: number) => void,
): Promise<RewrapResult> {
  const { activeId } = vault;
  const { column } = sealed;
  const result = { moved: 0, broken: 0, left: 0 };
  const values = `${sealed.reads.map((name) => `${name}, `).join('')}kek_id,
    case when kek_id <> ${activeId} then ${column} end as value`;
  for await (const page of pagesOf(statements, sealed, values)) {
    const old = page.filter(({ value }) => value !== null);
    const becomes: (Uint8Array | undefined)[] = old.map((row) => rewrapRow(vault, sealed, row));
    const whole = old.flatMap((row, at) => {
      const bytes = becomes[at];
      return bytes === undefined ? [] : [{ row, bytes }];
    });
    const moved = whole.length === 0 ? 0 : await swap(statements, { sealed, activeId, whole });
    result.moved += moved;
    result.broken += old.length - whole.length;
    result.left += whole.length - moved;
    if (moved > 0) onPage(result.moved);
  }
  return result;
}

function rewrapRow(vault: Vault, { bound }: SealedColumn, row: Row): Uint8Array | undefined {
  try {
    return vault.rewrap(bound(row), { kekId: idOf(row.kek_id), sealed: row.value }).sealed;
  } catch (fault) {
    if (fault instanceof SealFault) return undefined;
    throw fault;
  }
}

// Rows are locked in key order, like everywhere, and locked ones are skipped. So a request is
// blocked by at most this one statement, and two of them cannot deadlock.
async function swap(
  statements: Statements,
  batch: {
    readonly sealed: SealedColumn;
    readonly activeId: number;
    readonly whole: readonly { readonly row: Row; readonly bytes: Uint8Array }[];
  },
): Promise<number> {
  const { activeId, sealed, whole } = batch;
  const { column, key, table } = sealed;
  const names = key.map(({ name }) => name);
  const types = [...key.map(({ type }) => type), 'bigint', 'bytea', 'bytea'];
  const arrays = types.map((type, at) => `$${at + 2}::${type}[]`).join(', ');
  const isSame = (one: string, other: string) =>
    names.map((name) => `${one}.${name} = ${other}.${name}`).join(' and ');
  const { rowCount } = await statements.query(
    `with wanted as (
       select * from unnest(${arrays}) as w (${names.join(', ')}, was_kek, was, becomes)
     ), held as (
       select w.* from wanted w join ${table} t on ${isSame('w', 't')}
       where t.kek_id = w.was_kek and t.${column} = w.was
       order by ${names.map((name) => `t.${name}`).join(', ')}
       for no key update of t skip locked
     )
     update ${table} t set kek_id = $1, ${column} = held.becomes
     from held where ${isSame('t', 'held')}`,
    [
      activeId,
      ...names.map((name) => whole.map(({ row }) => row[name])),
      whole.map(({ row }) => row.kek_id),
      whole.map(({ row }) => row.value),
      whole.map(({ bytes }) => bytes),
    ],
  );
  return rowCount ?? 0;
}

/** Yields all rows by primary key, one page at a time, so no statement takes long. */
async function* pagesOf(
  statements: Statements,
  { key, table }: SealedColumn,
  values: string,
): AsyncGenerator<readonly Row[]> {
  const names = key.map(({ name }) => name).join(', ');
  const places = key.map(({ type }, at) => `$${at + 1}::${type}`).join(', ');
  let last: Row | undefined;
  for (;;) {
    const after = last === undefined ? '' : `where (${names}) > (${places})`;
    const { rows } = await statements.query(
      `select ${names}, ${values} from ${table} ${after} order by ${names} limit ${PAGE_ROWS}`,
      last === undefined ? [] : key.map(({ name }) => last[name]),
    );
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE_ROWS) return;
    last = rows.at(-1);
  }
}
