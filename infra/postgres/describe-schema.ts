// A schema as text, read from the system catalog: tables, columns, constraints and indexes, in
// the same order on every server. Partitions are left out: they come and go.

import type { Connection } from './connections.ts';

const TABLES = `
  select c.oid, c.relname as name, coalesce(pg_get_partkeydef(c.oid), '') as partitioned,
    coalesce(array_to_string(c.reloptions, ', '), '') as storage
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname`;

const COLUMNS = `
  select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
    pg_get_expr(d.adbin, d.adrelid) as otherwise
  from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped
  order by a.attnum`;

// Starting with version 18, `not null` is a separate constraint.
const CONSTRAINTS = `
  select conname as name, pg_get_constraintdef(oid, true) as definition
  from pg_constraint where conrelid = $1 and contype <> 'n' order by conname`;

const INDEXES = `
  select pg_get_indexdef(indexrelid) as definition
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where indrelid = $1 and not indisprimary order by c.relname`;

export async function describeSchema(connection: Connection, schema: string): Promise<string> {
  const tables = await connection.query(TABLES, [schema]);
  const texts: string[] = [];
  for (const table of tables.rows) texts.push(await describeTable(connection, table));
  return texts.join('\n').replaceAll(` ${schema}.`, ' ').replaceAll(' ONLY ', ' ');
}

interface Table {
  readonly oid: number;
  readonly name: string;
  readonly partitioned: string;
  readonly storage: string;
}

async function describeTable(connection: Connection, table: Table): Promise<string> {
  const columns = await connection.query(COLUMNS, [table.oid]);
  const constraints = await connection.query(CONSTRAINTS, [table.oid]);
  const indexes = await connection.query(INDEXES, [table.oid]);
  const lines = [
    ...columns.rows.map(({ name, otherwise, required, type }) => {
      const ending = otherwise === null ? '' : ` default ${otherwise}`;
      return `${name} ${type}${required ? ' not null' : ''}${ending}`;
    }),
    ...constraints.rows.map(({ definition, name }) => `constraint ${name} ${definition}`),
  ];
  const partitioned = table.partitioned === '' ? '' : ` partition by ${table.partitioned}`;
  const storage = table.storage === '' ? '' : ` with (${table.storage})`;
  const body = lines.map((line) => `  ${wrapped(line)}`).join(',\n');
  const end = `)${partitioned}${storage};`;
  const ends = indexes.rows.map(({ definition }) => `${wrapped(definition)};`);
  return [`create table ${table.name} (`, body, end, ...ends, ''].join('\n');
}

const COLUMNS_MAX = 96;

/** Wrapped at spaces. */
function wrapped(text: string): string {
  let line = '';
  let result = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > COLUMNS_MAX) {
      result += `${line}\n`;
      line = `    ${word}`;
    } else {
      line += line === '' ? word : ` ${word}`;
    }
  }
  return result + line;
}
