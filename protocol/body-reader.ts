// Parses a request body without passing decimals through a float: safe integers stay numbers, every
// other number becomes its source text. Ambiguous bodies are rejected, because a signature over one
// would not prove what the caller meant.

export type ReadBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly detail: string };

/** Longer bodies are rejected without parsing. A batch of 50 orders has about 20,000 characters. */
export const BODY_CHARACTERS_MAX = 100_000;
/** No valid body has more than four levels. */
export const BODY_DEPTH_MAX = 16;

export function readBody(text: string): ReadBody {
  if (text.length > BODY_CHARACTERS_MAX) return refused('it is too long');
  const { depth, entries, quoted } = measure(text);
  if (depth > BODY_DEPTH_MAX) return refused('it is nested too deeply');
  try {
    const value: unknown = JSON.parse(quoted);
    const entriesRead = countEntries(value);
    if (entriesRead < 0) return refused('it has a key __proto__');
    // The parser keeps the last of repeated keys, however they are escaped, so they are counted.
    if (entriesRead !== entries) return refused('it has the same key twice');
    return { ok: true, value };
  } catch {
    return refused('it cannot be parsed');
  }
}

function refused(detail: string): ReadBody {
  return { ok: false, detail };
}

/** Returns the number of entries at any depth; negative if there is a key __proto__. */
function countEntries(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let entries = 0;
  if (Array.isArray(value)) {
    for (const entry of value) entries += 1 + countEntries(entry);
    return entries;
  }
  for (const key of Object.keys(value)) {
    if (key === '__proto__') return Number.NEGATIVE_INFINITY;
    entries += 1 + countEntries((value as Record<string, unknown>)[key]);
  }
  return entries;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

interface Measured {
  readonly depth: number;
  /** Number of entries in the source text of its objects and arrays. */
  readonly entries: number;
  /** Text with quotes around numbers that are kept as text. */
  readonly quoted: string;
}

/** The result is meaningless for invalid JSON; the parser rejects that. */
function measure(text: string): Measured {
  let depth = 0;
  let depthNow = 0;
  let entries = 0;
  let quoted = '';
  let quotedTo = 0;
  // True if the last significant character opened an object or an array.
  let opened = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 0x20) continue;
    if (code === 0x7d || code === 0x5d) {
      depthNow -= 1;
      opened = false;
      continue;
    }
    // The object or array is not empty.
    if (opened) entries += 1;
    opened = code === 0x7b || code === 0x5b;
    if (opened) {
      depthNow += 1;
      if (depthNow > depth) depth = depthNow;
    } else if (code === COMMA) {
      entries += 1;
    } else if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (isOfNumber(code)) {
      const end = endOfNumber(text, at);
      if (isKeptAsText(text, at, end)) {
        quoted += `${text.slice(quotedTo, at)}"${text.slice(at, end)}"`;
        quotedTo = end;
      }
      at = end - 1;
    }
  }
  return { depth, entries, quoted: quotedTo === 0 ? text : quoted + text.slice(quotedTo) };
}

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const WHOLE = /^-?(?:0|[1-9][0-9]*)$/;
const KEY_END = /[ \t\r\n]*:/y;
/** An integer with this many digits is always safe. */
const SAFE_DIGITS = 15;

/**
 * Returns whether it is a number that might lose digits as a float. Leaves invalid numbers
 * unchanged, and a number in place of a key, because quotes would turn it into a key.
 */
function isKeptAsText(text: string, start: number, end: number): boolean {
  if (isPlainWhole(text, start, end)) return false;
  const source = text.slice(start, end);
  if (!NUMBER.test(source)) return false;
  if (WHOLE.test(source) && source !== '-0' && Number.isSafeInteger(Number(source))) return false;
  KEY_END.lastIndex = end;
  return !KEY_END.test(text);
}

/** The most frequent case; other forms can be safe integers too. */
function isPlainWhole(text: string, start: number, end: number): boolean {
  if (end - start > SAFE_DIGITS) return false;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x30 || code > 0x39) return false;
  }
  return true;
}

/** Digits, signs, the decimal point and exponent letters. */
function isOfNumber(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2b || code === 0x2e;
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    // The exponent's e and E.
    if (!isOfNumber(code) && code !== 0x65 && code !== 0x45) break;
    at += 1;
  }
  return at;
}

/** Returns the index of the closing quote, or the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    at += code === BACKSLASH ? 2 : 1;
  }
  return at;
}
