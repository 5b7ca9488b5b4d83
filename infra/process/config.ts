// Configuration: the environment, read once at the start and checked completely. All that is wrong
// is told in one fault. It never guesses: a misspelt variable is a problem and not a default.

import { Secret } from './secret.ts';

/** One variable: its name, and how its text becomes a value. */
export interface Setting<Value> {
  readonly name: string;
  readonly wanted: string;
  /** The value of the text, or undefined when the text is not what is wanted. */
  readonly read: (found: string) => Value | undefined;
  /** Stands in when the variable is not there. Without one, the variable has to be there. */
  readonly fallback?: { readonly value: Value };
  readonly isSecret?: boolean;
}

export type ConfigOf<Settings> = {
  readonly [Key in keyof Settings]: Settings[Key] extends Setting<infer Value> ? Value : never;
};

export type ConfigProblem = {
  readonly name: string;
  readonly found: string;
  readonly wanted: string;
};

export class ConfigFault extends Error {
  override readonly name = 'ConfigFault';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const lines = problems.map((one) => `  ${one.name}: found ${one.found}, want ${one.wanted}`);
    super(`the environment is not as it has to be\n${lines.join('\n')}`);
    this.problems = problems;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

type Surroundings = {
  /** Variables that begin with it are ours. */
  readonly prefix?: string;
  /** Names of ours that something else in this process or container reads. */
  readonly readByOthers?: readonly string[];
};

/** Reads every setting of the table, or throws one ConfigFault with all that is wrong. */
export function readConfig<Settings extends Readonly<Record<string, Setting<unknown>>>>(
  environment: Environment,
  settings: Settings,
  { prefix = 'RIALTO_', readByOthers = [] }: Surroundings = {},
): ConfigOf<Settings> {
  const values: Record<string, unknown> = {};
  const problems: ConfigProblem[] = [];
  for (const [key, setting] of Object.entries(settings)) {
    const text = environment[setting.name];
    const value = text === undefined ? setting.fallback?.value : setting.read(text);
    if (value === undefined && (text !== undefined || setting.fallback === undefined)) {
      problems.push({ name: setting.name, found: shown(text, setting), wanted: setting.wanted });
    }
    values[key] = value;
  }
  const known = new Set([...Object.values(settings).map(({ name }) => name), ...readByOthers]);
  for (const name of Object.keys(environment).sort()) {
    if (!name.startsWith(prefix) || known.has(name)) continue;
    const wanted = `no variable of this name; there are ${[...known].join(', ')}`;
    // Its value is not told: it may be a secret whose name is misspelt.
    problems.push({ name, found: 'a value', wanted });
  }
  if (problems.length > 0) throw new ConfigFault(problems);
  return values as ConfigOf<Settings>;
}

// A URL may carry a password, in a list as well.
function shown(text: string | undefined, { isSecret = false }: Setting<unknown>): string {
  if (text === undefined) return 'nothing';
  return isSecret ? 'something else' : JSON.stringify(text.replace(/\/\/[^\s,]*@/g, '//[secret]@'));
}

export function text(name: string, { fallback }: { fallback?: string } = {}): Setting<string> {
  const wanted = 'a text without blanks around it';
  return { name, wanted, read: readText, ...orElse(fallback) };
}

/** Texts with commas between them; at least one. */
export function list(name: string, fallback?: readonly string[]): Setting<readonly string[]> {
  return { name, wanted: 'texts with commas between them', read, ...orElse(fallback) };

  function read(found: string): readonly string[] | undefined {
    const items = found.split(',').map((item) => item.trim());
    return items.includes('') ? undefined : items;
  }
}

type IntegerRange = { readonly min: number; readonly max: number; readonly fallback?: number };

export function integer(name: string, { min, max, fallback }: IntegerRange): Setting<number> {
  return { name, wanted: `an integer from ${min} to ${max}`, read, ...orElse(fallback) };

  function read(found: string): number | undefined {
    const value = /^(?:0|-?[1-9]\d*)$/.test(found) ? Number(found) : Number.NaN;
    return Number.isSafeInteger(value) && min <= value && value <= max ? value : undefined;
  }
}

/** A port to listen on; 0 lets the machine choose a free one. */
export function port(name: string, fallback?: number): Setting<number> {
  return integer(name, { min: 0, max: 65_535, ...(fallback === undefined ? {} : { fallback }) });
}

export function oneOf<const Word extends string>(
  name: string,
  words: readonly Word[],
  fallback?: NoInfer<Word>,
): Setting<Word> {
  const read = (found: string) => words.find((word) => word === found);
  return { name, wanted: `one of ${words.join(', ')}`, read, ...orElse<Word>(fallback) };
}

/** A text that is never shown. It has no fallback: a secret that everyone can read is none. */
export function secret(name: string): Setting<Secret> {
  return { name, wanted: 'a text without blanks around it', read, isSecret: true };

  function read(found: string): Secret | undefined {
    const value = readText(found);
    return value === undefined ? undefined : new Secret(value);
  }
}

/** The same setting, undefined when its variable is not there. */
export function optional<Value>(setting: Setting<Value>): Setting<Value | undefined> {
  return { ...setting, fallback: { value: undefined } };
}

function readText(found: string): string | undefined {
  return found !== '' && found.trim() === found ? found : undefined;
}

function orElse<Value>(fallback: Value | undefined): { fallback?: { value: Value } } {
  return fallback === undefined ? {} : { fallback: { value: fallback } };
}
