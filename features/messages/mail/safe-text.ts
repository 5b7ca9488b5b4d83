// Makes values chosen by users safe to show in an email: one line, no invisible direction marks, no
// text that a mail program turns into a link.

const LENGTH_MAX = 200;
// Control characters, line and paragraph separators.
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;
// Marks that reorder the text around them, and zero-width characters. The joiners U+200C and U+200D
// stay, because Persian and Urdu names need them.
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
const HOST_DOT = /\.(?=[\p{L}\p{N}-]*\p{L})/gu;

const LINES_MAX = 100;
const LINE_LENGTH_MAX = 2_000;

/** Returns one line of at most 200 characters; a longer one ends with an ellipsis. */
export function oneLine(value: string): string {
  return shortened(value, LENGTH_MAX);
}

/** Returns the lines of a longer text, without links; at most 100 lines. */
export function linesWithoutLinks(text: string): string[] {
  if (text.trim() === '') return [];
  return text
    .trim()
    .split(/\r\n|[\r\n\u0085\u2028\u2029]/)
    .map((line) => defused(shortened(line, LINE_LENGTH_MAX)))
    .slice(0, LINES_MAX);
}

function shortened(value: string, lengthMax: number): string {
  const line = value.toWellFormed().replace(CONTROLS, ' ').replace(INVISIBLE, '').trim();
  const characters = [...line];
  if (characters.length <= lengthMax) return line;
  return `${characters.slice(0, lengthMax - 1).join('')}…`;
}

/** Like `oneLine`, without links: `http://evil.example` becomes `http[:]//evil[.]example`. */
export function withoutLinks(value: string): string {
  return defused(oneLine(value));
}

function defused(line: string): string {
  return line.replace(/:(?=\/\/)/g, '[:]').replace(HOST_DOT, '[.]');
}
