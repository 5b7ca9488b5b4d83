// The text of a body to values, such that no decimal passes through a float: a whole safe number
// stays a number, any other is given as the text that stood there. What could be read in two ways
// is refused: a signature over it would not say what was meant.

export type ReadBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly detail: string };

/** Longer bodies are refused unread. A batch of 50 orders has some 20,000. */
export const BODY_CHARACTERS_MAX = 100_000;
/** Nothing of the interface is deeper than four. */
export const BODY_DEPTH_MAX = 16;

type ReviverContext = { readonly source?: string };
type Reviver = (key: string, value: unknown, context: ReviverContext) => unknown;
// The library's types do not know the third parameter yet.
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

const WHOLE = /^-?(?:0|[1-9][0-9]*)$/;

export function readBody(text: string): ReadBody {
  if (text.length > BODY_CHARACTERS_MAX) return refused('it is too long');
  const { depth, entries } = measure(text);
  if (depth > BODY_DEPTH_MAX) return refused('it is nested too deeply');
  let entriesRead = -1; // The whole is visited too, and is nobody's entry.
  let hasPrototype = false;
  try {
    const value = parse(text, (key, entry, { source }) => {
      entriesRead += 1;
      if (key === '__proto__') hasPrototype = true;
      if (typeof entry !== 'number' || source === undefined) return entry;
      return isWholeAndSafe(entry, source) ? entry : source;
    });
    if (hasPrototype) return refused('it has a key __proto__');
    // The parser keeps the last of equal keys, however they are escaped: some are then missing.
    if (entriesRead !== entries) return refused('it has the same key twice');
    return { ok: true, value };
  } catch {
    return refused('it can not be parsed');
  }
}

function refused(detail: string): ReadBody {
  return { ok: false, detail };
}

function isWholeAndSafe(value: number, source: string): boolean {
  return Number.isSafeInteger(value) && WHOLE.test(source) && source !== '-0';
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/**
 * How deep the text is nested, and how many entries its objects and lists have as they are
 * written. Says nothing useful about a text that is not JSON: that is the parser's to find.
 */
function measure(text: string): { depth: number; entries: number } {
  let depth = 0;
  let depthNow = 0;
  let entries = 0;
  // Whether the last character that counts opened an object or a list.
  let opened = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 0x20) continue;
    if (code === 0x7d || code === 0x5d) {
      depthNow -= 1;
      opened = false;
      continue;
    }
    // What opened is not empty.
    if (opened) entries += 1;
    opened = code === 0x7b || code === 0x5b;
    if (opened) {
      depthNow += 1;
      if (depthNow > depth) depth = depthNow;
    } else if (code === COMMA) {
      entries += 1;
    } else if (code === QUOTE) {
      at = endOfString(text, at);
    }
  }
  return { depth, entries };
}

/** The place of the closing quote, or the end of a text that has none. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    at += code === BACKSLASH ? 2 : 1;
  }
  return at;
}
