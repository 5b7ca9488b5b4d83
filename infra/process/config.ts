// Configuration: environment variables, read once at start-up and checked completely. One
// ConfigFault lists every problem. It never guesses: a misspelt variable is a problem, and its
// setting does not silently take its default.

import { Secret } from './secret.ts';

/** One variable: its name, and how its text becomes a value. */
export interface Setting<Value> {
  readonly name: string;
  /** Completes the sentence "expected …". */
  readonly expected: string;
  /** Parses the text; undefined if the text is not what is expected. */
  readonly read: (text: string) => Value | undefined;
  /** The value if the variable is not set. A setting without a fallback is required. */
  readonly fallback?: { readonly value: Value };
  readonly isSecret?: boolean;
}

export type ConfigOf<Settings> = {
  readonly [Key in keyof Settings]: Settings[Key] extends Setting<infer Value> ? Value : never;
};

export type ConfigProblem = {
  readonly name: string;
  /** Completes the sentence that begins with the name: "is not set (expected …)". */
  readonly problem: string;
};

/** The operator's configuration is wrong. The message has one complete sentence per line. */
export class ConfigFault extends Error {
  override readonly name = 'ConfigFault';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(
      problems.map(({ name, problem }) => `Invalid configuration: ${name} ${problem}`).join('\n'),
    );
    this.problems = problems;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

type ReadOptions = {
  /** Every variable with this prefix must be a known setting. */
  readonly prefix?: string;
  /** Variables with the prefix that other code in this process or container reads. */
  readonly readByOthers?: readonly string[];
};

/** Reads every setting of the table, or throws one ConfigFault with all problems. */
export function readConfig<Settings extends Readonly<Record<string, Setting<unknown>>>>(
  environment: Environment,
  settings: Settings,
  { prefix = 'RIALTO_', readByOthers = [] }: ReadOptions = {},
): ConfigOf<Settings> {
  const values: Record<string, unknown> = {};
  const problems: ConfigProblem[] = [];
  for (const [key, setting] of Object.entries(settings)) {
    const text = environment[setting.name];
    const value = text === undefined ? setting.fallback?.value : setting.read(text);
    if (value === undefined && (text !== undefined || setting.fallback === undefined)) {
      problems.push({ name: setting.name, problem: problemOf(text, setting) });
    }
    values[key] = value;
  }
  const known = new Set([...Object.values(settings).map(({ name }) => name), ...readByOthers]);
  for (const name of Object.keys(environment).sort()) {
    if (!name.startsWith(prefix) || known.has(name)) continue;
    // The value is not shown: it may be a secret under a misspelt name.
    problems.push({ name, problem: `is not a known setting (${suggestion(name, [...known])})` });
  }
  if (problems.length > 0) throw new ConfigFault(problems);
  return values as ConfigOf<Settings>;
}

function problemOf(text: string | undefined, { expected, isSecret }: Setting<unknown>): string {
  if (text === undefined) return `is not set (expected ${expected})`;
  if (isSecret === true) return `is set to an invalid value, not shown here (expected ${expected})`;
  // A URL may contain a password, also inside a list.
  const shown = JSON.stringify(text.replace(/\/\/[^\s,]*@/g, '//[secret]@'));
  return `is ${shown} (expected ${expected})`;
}

/** The longest distance at which a known name is still the likely intention. */
const SUGGESTION_EDITS_MAX = 3;

function suggestion(name: string, known: readonly string[]): string {
  const byDistance = known.map((other) => ({ other, edits: editDistance(name, other) }));
  const [closest] = byDistance.sort((one, two) => one.edits - two.edits);
  if (closest === undefined) return 'there are none';
  return closest.edits <= SUGGESTION_EDITS_MAX
    ? `did you mean ${closest.other}?`
    : `known settings: ${known.join(', ')}`;
}

/** Levenshtein distance: insertions, deletions and replacements of one character. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row[to.length];
}

const TRIMMED_TEXT = 'a non-empty text without leading or trailing spaces';

type TextOptions = { readonly fallback?: string; readonly expected?: string };

export function text(
  name: string,
  { fallback, expected = TRIMMED_TEXT }: TextOptions = {},
): Setting<string> {
  return { name, expected, read: readText, ...orElse(fallback) };
}

type ListOptions = {
  readonly fallback?: readonly string[];
  /** The items in words: `nats:// URLs`. */
  readonly of?: string;
};

/** A comma-separated list with at least one item. */
export function list(
  name: string,
  { fallback, of = 'texts' }: ListOptions = {},
): Setting<readonly string[]> {
  return { name, expected: `a comma-separated list of ${of}`, read, ...orElse(fallback) };

  function read(found: string): readonly string[] | undefined {
    const items = found.split(',').map((item) => item.trim());
    return items.includes('') ? undefined : items;
  }
}

type IntegerRange = { readonly min: number; readonly max: number; readonly fallback?: number };

export function integer(name: string, { min, max, fallback }: IntegerRange): Setting<number> {
  return { name, expected: `an integer from ${min} to ${max}`, read, ...orElse(fallback) };

  function read(found: string): number | undefined {
    const value = /^(?:0|-?[1-9]\d*)$/.test(found) ? Number(found) : Number.NaN;
    return Number.isSafeInteger(value) && min <= value && value <= max ? value : undefined;
  }
}

/** A port to listen on; 0 lets the operating system choose a free one. */
export function port(name: string, fallback?: number): Setting<number> {
  return integer(name, { min: 0, max: 65_535, ...(fallback === undefined ? {} : { fallback }) });
}

export function oneOf<const Word extends string>(
  name: string,
  words: readonly Word[],
  fallback?: NoInfer<Word>,
): Setting<Word> {
  const read = (found: string) => words.find((word) => word === found);
  return { name, expected: `one of ${words.join(', ')}`, read, ...orElse<Word>(fallback) };
}

/** A text that is never shown. It has no fallback: a default secret would be public. */
export function secret(
  name: string,
  { expected = TRIMMED_TEXT }: { readonly expected?: string } = {},
): Setting<Secret> {
  return { name, expected, read, isSecret: true };

  function read(found: string): Secret | undefined {
    const value = readText(found);
    return value === undefined ? undefined : new Secret(value);
  }
}

/** The same setting, undefined if its variable is not set. */
export function optional<Value>(setting: Setting<Value>): Setting<Value | undefined> {
  return { ...setting, fallback: { value: undefined } };
}

function readText(found: string): string | undefined {
  return found !== '' && found.trim() === found ? found : undefined;
}

function orElse<Value>(fallback: Value | undefined): { fallback?: { value: Value } } {
  return fallback === undefined ? {} : { fallback: { value: fallback } };
}
