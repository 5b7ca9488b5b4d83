// Comma separated values, made from the JSON of a row. A cell that a spreadsheet would take for a
// formula is made a text: what users write must not run on an operator's machine.

const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]/;

/** The names and the values of a row. Numbers keep the digits that they have in the JSON. */
export function csvRow(json: string): [names: string[], values: string[]] {
  const row = parse(json, keepDigits) as Record<string, unknown>;
  return [Object.keys(row), Object.values(row).map(cellOf)];
}

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

// The types of the language do not know the third parameter yet.
type Revive = (key: string, value: unknown, context: { readonly source: string }) => unknown;
const parse = JSON.parse as (text: string, revive: Revive) => unknown;

// Numbers stay numbers, also inside of something nested, with the digits that they had.
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
