// Comma separated values, made from the JSON of a row. A cell that a spreadsheet would read as a
// formula becomes text: a user's input must not run on an operator's machine.

const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]/;
const [QUOTE, COMMA] = [0x22, 0x2c];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The columns of a file: the names of its first row, and optional names of other rows. */
export function csvNames(firstRow: string, optional: readonly string[] = []): string[] {
  return [...new Set([...membersOf(firstRow).keys(), ...optional])];
}

/** Each value under its name. Numbers keep the digits that they have in the JSON. */
export function csvCells(json: string, names: readonly string[]): string[] {
  const row = membersOf(json);
  return names.map((name) => cellOf(row.get(name)));
}

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

/**
 * The members of a row, each value as its JSON text. Files have millions of rows that the gateway
 * itself wrote, without white space: they are cut, not parsed.
 */
function membersOf(json: string): Map<string, string> {
  const members = new Map<string, string>();
  for (let at = 1; json[at] === '"'; ) {
    const nameEnd = endOfText(json, at);
    const valueEnd = endOfValue(json, nameEnd + 1);
    members.set(textOf(json.slice(at, nameEnd)), json.slice(nameEnd + 1, valueEnd));
    at = valueEnd + 1;
  }
  return members;
}

/** Behind the closing quote of the text that opens at `start`. */
function endOfText(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

function endOfValue(json: string, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const letter = json.charCodeAt(at);
    if (letter === QUOTE) at = endOfText(json, at) - 1;
    else if (letter === OPEN_BRACE || letter === OPEN_BRACKET) depth++;
    else if (depth === 0 && (letter === COMMA || letter === CLOSE_BRACE)) return at;
    else if (letter === CLOSE_BRACE || letter === CLOSE_BRACKET) depth--;
  }
  throw new Error(`a row is not a JSON object: ${json}`);
}

function textOf(json: string): string {
  return json.includes('\\') ? JSON.parse(json) : json.slice(1, -1);
}

function cellOf(json: string | undefined): string {
  if (json === undefined || json === 'null') return '';
  return csvText(json[0] === '"' ? textOf(json) : json);
}

/** A text as a cell that no spreadsheet runs as a formula. */
export function csvText(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

function quoted(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
