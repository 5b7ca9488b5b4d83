// Terminal of a command: data on standard output, everything else on standard error, and color only
// on a terminal.

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageFault } from '../command-line.ts';
import { Progress } from '../progress.ts';
import { tableLines } from '../text-table.ts';

export interface Terminal {
  readonly isJson: boolean;
  /** True to skip confirmation. */
  readonly isYes: boolean;
  readonly hasColor: boolean;
  readonly environment: Surroundings['environment'];
  /** Lines of standard input, for secrets. */
  readonly lines: AsyncIterable<string>;
  print(line: string): void;
  note(line: string): void;
}

/** Environment of a command; tests replace it. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  print(line: string): void;
  note(line: string): void;
  /** Lines of standard input. By default from the process, without echo on a terminal. */
  readonly lines?: AsyncIterable<string>;
}

export function openTerminal(
  { environment, lines, note, print }: Surroundings,
  { json, yes }: { readonly json: boolean; readonly yes: boolean },
): Terminal {
  const { FORCE_COLOR, NO_COLOR } = environment;
  const isWanted = process.stdout.isTTY === true || FORCE_COLOR !== undefined;
  return {
    isJson: json,
    isYes: yes,
    hasColor: isWanted && !json && (NO_COLOR === undefined || NO_COLOR === ''),
    environment,
    lines: lines ?? hiddenLines(),
    print,
    note,
  };
}

/** Reads nothing before the first line is requested. */
async function* hiddenLines(): AsyncIterable<string> {
  const isTerminal = process.stdin.isTTY === true;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  yield* createInterface({ input: process.stdin, output: silent, terminal: isTerminal });
}

const COLORS = { red: 31, green: 32, yellow: 33, bold: 1, dim: 2 } as const;

export function paint({ hasColor }: Terminal, color: keyof typeof COLORS, text: string): string {
  return hasColor ? `\u001b[${COLORS[color]}m${text}\u001b[0m` : text;
}

/** Shows on standard error that something takes longer than a second. */
export async function withProgress<Value>(
  { isJson }: Terminal,
  what: string,
  work: Promise<Value>,
): Promise<Value> {
  if (isJson) return work;
  const progress = new Progress(what);
  try {
    return await work;
  } finally {
    progress.stop();
  }
}

/** Resolves if the operator types the name; throws UsageFault otherwise. */
export async function confirm(terminal: Terminal, command: string, name: string): Promise<void> {
  if (terminal.isYes) return;
  if (process.stdin.isTTY !== true) {
    throw new UsageFault(`${command} needs confirmation: run it in a terminal, or pass --yes.`);
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const typed = await lines.question(`This changes the live exchange. Type ${name} to continue: `);
  lines.close();
  if (typed.trim() !== name) throw new UsageFault('Canceled. Nothing was changed.');
}

/** Formats rows of objects as a table, with nested values as JSON. */
export function rowsTable(rows: readonly object[], columns: readonly string[]): readonly string[] {
  const cells = rows.map((row) =>
    columns.map((column) => cellText((row as Record<string, unknown>)[column])),
  );
  return tableLines(
    columns.map((title) => ({ title })),
    cells,
  );
}

export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** For example `26s`, `5m`, `3h`, `2d`. */
export function ageText(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return 'never';
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)}h` : `${Math.round(seconds / 86_400)}d`;
}
