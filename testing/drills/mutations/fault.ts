// A deliberate fault: one wrong change inside one symbol of one file. The README describes the
// kinds of changes and how their places are found.

import { type Outline, outlineOf } from './outline.ts';
import { type Range, rangesOf, tokensOf } from './tokens.ts';

/** Each quote is compared by tokens and must match exactly one place inside the symbol. */
export type Change =
  /** Replaces the quoted tokens with a text. */
  | { readonly replace: readonly [quote: string, by: string] }
  /** Removes the quoted tokens. */
  | { readonly remove: string }
  /** Removes the statement that contains the quote. */
  | { readonly drop: string }
  /** Makes the condition that contains the quote true. */
  | { readonly always: string }
  /** Makes the condition that contains the quote false. */
  | { readonly never: string }
  /** Gives the variable, field or property another value. */
  | { readonly value: string }
  /** Makes a function with one `return` return something else. */
  | { readonly returns: string };

type Place = {
  /**
   * Path of a symbol, for example `FAILURES_MAX`, `openSession` or `Ledger.hold`; `*` is
   * everything, for imports and style sheets.
   */
  readonly in: string;
};

export type Fault = Change &
  Place & {
    /** A sentence that describes the wrong behavior. */
    readonly name: string;
    readonly file: string;
  };

/** Faults by file, then by name. */
export type FaultTable = Readonly<Record<string, Readonly<Record<string, Change & Place>>>>;

export function faultsIn(table: FaultTable): Fault[] {
  return Object.entries(table).flatMap(([file, faults]) =>
    Object.entries(faults).map(([name, change]) => ({ name, file, ...change })),
  );
}

/** Returns the text of the file with the fault. Throws unless it fits exactly one place. */
export function withFault(text: string, fault: Fault): string {
  const outline = parsedOnce(fault.file, text);
  const symbols = outline.symbols.get(fault.in);
  if (symbols === undefined) {
    const known = [...outline.symbols.keys()].filter((name) => !name.includes('.')).join(', ');
    throw new Error(`${fault.file} has no '${fault.in}' for '${fault.name}'; it has ${known}`);
  }
  const places = placesOf(fault, outline, symbols);
  if (places.length !== 1) {
    const where = `'${fault.in}' in ${fault.file}`;
    throw new Error(`'${fault.name}' fits ${places.length} places of ${where}; expected 1`);
  }
  const [{ start, end }] = places;
  const before = text.slice(0, start);
  // Removes the spaces before a dropped statement too.
  const kept = 'drop' in fault ? before.trimEnd() : before;
  return `${kept}${replacementOf(fault)}${text.slice(end)}`;
}

/** Last text of each file, because lists have many faults for one file. */
const parsed = new Map<string, { readonly text: string; readonly outline: Outline }>();

function parsedOnce(file: string, text: string): Outline {
  const known = parsed.get(file);
  if (known?.text === text) return known.outline;
  const outline = outlineOf(file, text);
  parsed.set(file, { text, outline });
  return outline;
}

function placesOf(fault: Fault, outline: Outline, symbols: readonly Range[]): readonly Range[] {
  if ('value' in fault) return outline.values.get(fault.in) ?? [];
  if ('returns' in fault) return outline.results.get(fault.in) ?? [];
  if ('replace' in fault) return quoted(fault.replace[0], outline, symbols);
  if ('remove' in fault) return quoted(fault.remove, outline, symbols);
  const [quote, kinds] =
    'drop' in fault
      ? [fault.drop, outline.statements]
      : ['never' in fault ? fault.never : fault.always, outline.conditions];
  const around = quoted(quote, outline, symbols).map((range) => {
    const inSymbol = kinds.filter((kind) => symbols.some((symbol) => contains(symbol, kind)));
    return smallestAround(range, inSymbol);
  });
  return [...new Set(around)].filter((range) => range !== undefined);
}

function quoted(quote: string, { tokens }: Outline, symbols: readonly Range[]): Range[] {
  const wanted = tokensOf(quote);
  if (wanted.length === 0) return [];
  return symbols.flatMap((within) => rangesOf(wanted, { tokens, within }));
}

function smallestAround(range: Range, candidates: readonly Range[]): Range | undefined {
  return candidates
    .filter((candidate) => contains(candidate, range))
    .sort((one, other) => one.end - one.start - (other.end - other.start))[0];
}

function contains(outer: Range, inner: Range): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

function replacementOf(fault: Fault): string {
  if ('replace' in fault) return fault.replace[1];
  if ('value' in fault) return fault.value;
  if ('returns' in fault) return fault.returns;
  if ('drop' in fault || 'remove' in fault) return '';
  return 'always' in fault ? 'true' : 'false';
}
