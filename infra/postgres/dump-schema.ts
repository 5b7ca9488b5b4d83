// Copies the rows of a whole schema out of the database, and into an empty one, as text of COPY,
// which every version of PostgreSQL reads. Tables come from migrations, not from the dump.

import { from, to } from 'pg-copy-streams';
import { assertPlainName, type Connection } from './connections.ts';

export interface DumpedTable {
  readonly name: string;
  /** In the order of the dump, without generated ones. */
  readonly columns: readonly string[];
}

export interface DumpedSequence {
  readonly name: string;
  readonly value: string;
  readonly isCalled: boolean;
}

/** Their rows come from the migrations. */
const NOT_DUMPED = ['migrations'];

/** All tables of the schema, each after the tables that it references. */
export async function dumpableTables(
  connection: Connection,
  schema: string,
): Promise<readonly DumpedTable[]> {
  const { rows } = await connection.query(
    `select c.relname as name,
       array(select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
           and a.attgenerated = '' order by a.attnum) as columns,
       array(select distinct r.relname::text from pg_constraint f
         join pg_class r on r.oid = f.confrelid
         where f.conrelid = c.oid and f.contype = 'f' and r.oid <> c.oid) as needs
     from pg_class c
     where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> all ($2)
     order by c.relname`,
    [schema, NOT_DUMPED],
  );
  return inOrder(rows as readonly (DumpedTable & { readonly needs: readonly string[] })[]);
}

function inOrder(
  tables: readonly (DumpedTable & { readonly needs: readonly string[] })[],
): readonly DumpedTable[] {
  const ordered: DumpedTable[] = [];
  const done = new Set<string>();
  while (ordered.length < tables.length) {
    const next = tables.filter(
      ({ name, needs }) => !done.has(name) && needs.every((one) => done.has(one)),
    );
    if (next.length === 0) {
      const left = tables.filter(({ name }) => !done.has(name)).map(({ name }) => name);
      throw new Error(`tables reference each other in a circle: ${left.join(', ')}`);
    }
    for (const { columns, name } of next) {
      ordered.push({ name, columns });
      done.add(name);
    }
  }
  return ordered;
}

/** Outside of the snapshot: a sequence may be ahead of the rows, never behind. */
export async function readSequences(
  connection: Connection,
  schema: string,
): Promise<readonly DumpedSequence[]> {
  const { rows } = await connection.query(
    `select relname as name from pg_class where relnamespace = $1::regnamespace and relkind = 'S'
     order by relname`,
    [schema],
  );
  const found: DumpedSequence[] = [];
  for (const { name } of rows) {
    assertPlainName(name);
    const { rows: values } = await connection.query(
      `select last_value::text as value, is_called from ${schema}.${name}`,
    );
    found.push({ name, value: values[0].value, isCalled: values[0].is_called });
  }
  return found;
}

/** The rows of one table, as text. The caller holds the transaction. */
export async function* dumpTable(
  connection: Connection,
  schema: string,
  table: DumpedTable,
): AsyncGenerator<Uint8Array> {
  const text = `copy (select ${listOf(table)} from ${nameOf(schema, table)}) to stdout`;
  const stream: AsyncIterable<Uint8Array> & { callback?: () => void } = connection.query(to(text));
  try {
    yield* stream;
  } finally {
    // NOTE: the driver's timer of the statement waits for it, and keeps the process alive.
    stream.callback?.();
  }
}

/**
 * Empties all tables and fills them, without their triggers: those have acted when the rows were
 * new. The caller holds a transaction and loads each table in the order of the dump.
 */
export class SchemaLoad {
  readonly #connection: Connection;
  readonly #schema: string;
  readonly #tables: readonly DumpedTable[];

  constructor(connection: Connection, schema: string, tables: readonly DumpedTable[]) {
    this.#connection = connection;
    this.#schema = schema;
    this.#tables = tables;
  }

  async begin(): Promise<void> {
    await this.#switchTriggers('disable');
    const names = this.#tables.map((table) => nameOf(this.#schema, table));
    await this.#connection.query(`truncate ${names.join(', ')}`);
  }

  /** Returns the number of rows. */
  async load(table: DumpedTable, rows: AsyncIterable<Uint8Array>): Promise<number> {
    const text = `copy ${nameOf(this.#schema, table)} (${listOf(table)}) from stdin`;
    const stream = this.#connection.query(from(text));
    const ended = new Promise<void>((resolve, reject) => {
      stream.once('finish', resolve);
      stream.once('error', reject);
    });
    // Awaited below: a failure of the server must not count as unhandled meanwhile.
    ended.catch(() => {});
    try {
      for await (const bytes of rows) {
        if (!stream.write(bytes)) {
          await Promise.race([new Promise((done) => stream.once('drain', done)), ended]);
        }
      }
      stream.end();
    } catch (fault) {
      stream.destroy();
      throw fault;
    }
    await ended;
    return stream.rowCount;
  }

  async end(sequences: readonly DumpedSequence[]): Promise<void> {
    for (const { isCalled, name, value } of sequences) {
      assertPlainName(name);
      const sequence = `${this.#schema}.${name}`;
      await this.#connection.query('select setval($1::regclass, $2, $3)', [
        sequence,
        value,
        isCalled,
      ]);
    }
    await this.#switchTriggers('enable');
  }

  async #switchTriggers(verb: 'disable' | 'enable'): Promise<void> {
    for (const table of this.#tables) {
      await this.#connection.query(
        `alter table ${nameOf(this.#schema, table)} ${verb} trigger user`,
      );
    }
  }
}

function nameOf(schema: string, { name }: DumpedTable): string {
  assertPlainName(schema);
  assertPlainName(name);
  return `${schema}.${name}`;
}

function listOf({ columns }: DumpedTable): string {
  for (const column of columns) assertPlainName(column);
  return columns.map((column) => `"${column}"`).join(', ');
}
