// Comma separated values, made from the JSON of a row. A cell that a spreadsheet would read as a
// formula becomes text: a user's input must not run on an operator's machine.

const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]/;

/** The columns of a file: the names of its first row, and optional names of other rows. */
export function csvNames(firstRow: string, optional: readonly string[] = []): string[] {
  return [...new Set([...Object.keys(rowOf(firstRow)), ...optional])];
}

/** Each value under its name. Numbers keep the digits that they have in the JSON. */
export function csvCells(json: string, names: readonly string[]): string[] {
  const row = rowOf(json);
  return names.map((name) => cellOf(Object.hasOwn(row, name) ? row[name] : undefined));
}

function rowOf(json: string): Record<string, unknown> {
  return parse(json, keepDigits) as Record<string, unknown>;
}

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

// TypeScript's types lack the third parameter.
type Revive = (key: string, value: unknown, context: { readonly source: string }) => unknown;
const parse = JSON.parse as (text: string, revive: Revive) => unknown;

// Numbers, nested ones too, stay numbers and keep their digits.
function keepDigits(_key: string, value: unknown, { source }: { readonly source: string }) {
  return typeof value === 'number' ? JSON.rawJSON(source) : value;
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (JSON.isRawJSON(value)) return value.rawJSON;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

function quoted(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
