// `rialto tail`: the newest rows of a list, then each new row as it arrives.

import { setTimeout as pause } from 'node:timers/promises';
import { UsageFault } from '../command-line.ts';
import type { RouteName } from './commands.ts';
import type { Api } from './profile.ts';
import { cellText, paint, type Terminal } from './terminal.ts';

type Row = Readonly<Record<string, unknown>>;

interface Tail {
  readonly route: RouteName;
  readonly columns: readonly (readonly [field: string, width: number])[];
  /** Two rows with the same text are the same. */
  keyOf(row: Row): string;
}

const TIME = ['time', 24] as const;
/** Aligned right. */
const NUMBERS = new Set(['size', 'price', 'filled']);

export const TAILS: Readonly<Record<string, Tail>> = {
  orders: {
    route: 'getOrdersOfUsers',
    columns: [
      TIME,
      ['symbol', 10],
      ['side', 4],
      ['type', 6],
      ['size', 12],
      ['price', 12],
      ['filled', 12],
      ['status', 8],
      ['created_by', 10],
      ['id', 36],
    ],
    // A changed order is shown again.
    keyOf: ({ filled, id, status }) => `${id} ${status} ${filled}`,
  },
  trades: {
    route: 'getTradesOfUsers',
    columns: [
      TIME,
      ['symbol', 10],
      ['side', 4],
      ['size', 12],
      ['price', 12],
      ['maker_id', 9],
      ['taker_id', 9],
    ],
    keyOf: (row) => JSON.stringify(row),
  },
  audit: {
    route: 'getAudits',
    columns: [TIME, ['user_id', 8], ['act', 24], ['object', 30]],
    keyOf: ({ id }) => String(id),
  },
};

const EVERY_MS = 1_000;
const ROWS = 20;
const KEYS_MAX = 10_000;

interface TailOptions {
  readonly symbol?: string | undefined;
  /** Time limit; without it, runs until Ctrl-C. */
  readonly rounds?: number | undefined;
}

export async function tail(
  what: string,
  api: Api,
  terminal: Terminal,
  { rounds = Number.POSITIVE_INFINITY, symbol }: TailOptions,
): Promise<void> {
  const plan = TAILS[what];
  if (plan === undefined) {
    throw new UsageFault(`Unknown '${what}': expected ${Object.keys(TAILS).join(', ')}.`);
  }
  const seen = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0) await pause(EVERY_MS);
    const query = { limit: ROWS, ...(symbol === undefined ? {} : { symbol }) };
    const { data } = (await api.call(plan.route, query)) as { readonly data: readonly Row[] };
    if (round === 0 && !terminal.isJson) terminal.print(paint(terminal, 'bold', headOf(plan)));
    for (const row of data.toReversed()) {
      const key = plan.keyOf(row);
      if (seen.has(key)) continue;
      seen.add(key);
      terminal.print(terminal.isJson ? JSON.stringify(row) : lineOf(plan, row, terminal));
    }
    if (seen.size > KEYS_MAX) seen.clear();
  }
}

function headOf({ columns }: Tail): string {
  return columns.map(([field, width]) => padded(field, field, width)).join('  ');
}

function padded(text: string, field: string, width: number): string {
  return NUMBERS.has(field) ? text.padStart(width) : text.padEnd(width);
}

function lineOf({ columns }: Tail, row: Row, terminal: Terminal): string {
  const cells = columns.map(([field, width]) => {
    const value = field === 'time' ? (row.timestamp ?? row.created_at) : row[field];
    return padded(cellText(value), field, width);
  });
  const line = cells.join('  ').trimEnd();
  if (row.side === 'buy') return paint(terminal, 'green', line);
  return row.side === 'sell' ? paint(terminal, 'red', line) : line;
}
