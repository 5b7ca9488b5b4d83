// Values that people chose, made safe to show in a mail: one line, no invisible direction marks, no
// text that a mail program turns into a link.

const LENGTH_MAX = 200;
// Control characters, line and paragraph separators.
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;
// Marks that reorder the text around them, and characters without a width. The joiners U+200C and
// U+200D stay: Persian and Urdu names need them.
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
const HOST_DOT = /\.(?=[\p{L}\p{N}-]*\p{L})/gu;

/** One line of at most 200 characters; a longer one ends with an ellipsis. */
export function oneLine(value: string): string {
  const line = value.toWellFormed().replace(CONTROLS, ' ').replace(INVISIBLE, '').trim();
  const characters = [...line];
  if (characters.length <= LENGTH_MAX) return line;
  return `${characters.slice(0, LENGTH_MAX - 1).join('')}…`;
}

/** As `oneLine`, and no link: `http://evil.example` becomes `http[:]//evil[.]example`. */
export function withoutLinks(value: string): string {
  return oneLine(value)
    .replace(/:(?=\/\/)/g, '[:]')
    .replace(HOST_DOT, '[.]');
}
