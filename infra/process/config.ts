// Configuration: environment variables, read once at start-up and checked completely. One
// ConfigFault lists every problem. It never guesses: a misspelt variable is a problem, and its
// setting does not silently take its default.

import { readFileSync } from 'node:fs';
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
  /** Never shown. `NAME_FILE` can name a file with the value instead. */
  readonly isSecret?: boolean;
  /** Production does not start without it. The fallback is for development. */
  readonly requiredInProduction?: boolean;
  /**
   * Completes the sentence that begins with the name, if production must not start with this value;
   * undefined if it may.
   */
  openDoor?(value: Value): string | undefined;
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
  /**
   * The names that some program knows; every other variable with our prefix is a problem. By
   * default only the settings of the table; `any`: other variables are not our business.
   */
  readonly known?: readonly string[] | 'any';
  /** Refuse what production refuses. */
  readonly isProduction?: boolean;
};

const PREFIX = 'RIALTO_';

/** Reads every setting of the table, or throws one ConfigFault with all problems. */
export function readConfig<Settings extends Readonly<Record<string, Setting<unknown>>>>(
  environment: Environment,
  settings: Settings,
  { isProduction = false, known }: ReadOptions = {},
): ConfigOf<Settings> {
  const values: Record<string, unknown> = {};
  const problems: ConfigProblem[] = [];
  const names = Object.values(settings).map(({ name }) => name);
  for (const [key, setting] of Object.entries(settings)) {
    const found = textOf(setting, environment, names);
    if (typeof found === 'object') {
      problems.push(found);
      continue;
    }
    const value = found === undefined ? setting.fallback?.value : setting.read(found);
    const problem = problemOf(found, value, setting, isProduction);
    if (problem !== undefined) problems.push({ name: setting.name, problem });
    values[key] = value;
  }
  if (known !== 'any') {
    const own = Object.values(settings).flatMap(({ isSecret, name }) =>
      isSecret === true ? [name, fileNameOf(name)] : [name],
    );
    problems.push(...unknownNames(environment, new Set([...own, ...(known ?? [])])));
  }
  if (problems.length > 0) throw new ConfigFault(problems);
  return values as ConfigOf<Settings>;
}

function fileNameOf(name: string): string {
  return `${name}_FILE`;
}

/** The text of a setting; of a secret, perhaps from a file. */
function textOf(
  { isSecret, name }: Setting<unknown>,
  environment: Environment,
  names: readonly string[],
): string | undefined | ConfigProblem {
  const text = environment[name];
  const fileName = fileNameOf(name);
  // Its own setting may have this name.
  const file = isSecret === true && !names.includes(fileName) ? environment[fileName] : undefined;
  if (file === undefined) return text;
  if (text !== undefined) {
    return { name, problem: `and ${fileName} are both set (set only one of them)` };
  }
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (fault) {
    const reason = (fault as NodeJS.ErrnoException).code ?? 'unreadable';
    return { name: fileName, problem: `names ${file}, which cannot be read (${reason})` };
  }
}

function unknownNames(environment: Environment, known: ReadonlySet<string>): ConfigProblem[] {
  return (
    Object.keys(environment)
      .filter((name) => name.startsWith(PREFIX) && !known.has(name))
      .sort()
      // The value is not shown: it may be a secret under a misspelt name.
      .map((name) => ({
        name,
        problem: `is not a known setting (${suggestion(name, [...known])})`,
      }))
  );
}

function problemOf(
  text: string | undefined,
  value: unknown,
  setting: Setting<unknown>,
  isProduction: boolean,
): string | undefined {
  const { expected, fallback, requiredInProduction } = setting;
  if (text !== undefined && value === undefined) return wrongText(text, setting);
  if (text === undefined && fallback === undefined) return `is not set (expected ${expected})`;
  if (!isProduction) return undefined;
  if (text === undefined && requiredInProduction === true) {
    return `is not set (expected ${expected}; required in production)`;
  }
  return setting.openDoor?.(value);
}

function wrongText(text: string, { expected, isSecret }: Setting<unknown>): string {
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
  return closest !== undefined && closest.edits <= SUGGESTION_EDITS_MAX
    ? `did you mean ${closest.other}?`
    : 'docs/operating/settings.md lists all of them';
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
