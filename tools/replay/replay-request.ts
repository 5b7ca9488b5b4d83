// Parses a replay command line. An unknown word or value is a UsageFault: the tool must never
// guess.

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { EXTERNAL_OWNER, FEES_OWNER, type Owner, parseOrderId } from '../../core/messages/index.ts';
import { type OrderNumber, USER_MAX } from '../../core/money/index.ts';
import { UsageFault } from '../command-line.ts';
import type { BalanceOptions } from './balance.ts';
import type { DiffOptions } from './diff.ts';
import { MOMENT_FORMS, type Moment, parseMoment } from './moments.ts';
import type { OrderOptions } from './order.ts';

export const REPLAY_USAGE = `Usage: npm run replay -- COMMAND --archive FOLDER [OPTIONS]

Inspects an archived log by replaying it. Requires no server.

  verify    check every file, link and frame, then replay and compare hashes
              --from-snapshot     replay only from the newest snapshot
  balance   show the balance of an account and its postings
              --user U            a user ID, external or fees
              --asset A           a symbol or an ID
              --at MOMENT         (default: the end)
              --last N | --all    number of postings (default 20)
  order     show the full history of an order
              --id X              the ID that clients see, or the order number
              --all               continue after the order has closed
  diff      show changes between two points in time
              --from MOMENT --to MOMENT
              --limit N           entries per list (default 20)

  --json          print one JSON document; atoms are strings
  --from-genesis  do not use snapshots (balance, order, diff)

MOMENT is ${MOMENT_FORMS}.
See docs/operating/replay.md.`;

export type ReplayQuestion =
  | { readonly command: 'verify' }
  | { readonly command: 'balance'; readonly options: BalanceOptions }
  | { readonly command: 'order'; readonly options: OrderOptions }
  | { readonly command: 'diff'; readonly options: DiffOptions };

export interface ReplayRequest {
  readonly folder: string;
  readonly isJson: boolean;
  readonly usesSnapshots: boolean;
  readonly question: ReplayQuestion;
}

type GivenOptions = Readonly<Record<string, string | boolean | undefined>>;

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;
const COMMON = { archive: TEXT, json: FLAG };
const OPTIONS = {
  verify: { ...COMMON, 'from-snapshot': FLAG },
  balance: {
    ...COMMON,
    'from-genesis': FLAG,
    user: TEXT,
    asset: TEXT,
    at: TEXT,
    last: TEXT,
    all: FLAG,
  },
  order: { ...COMMON, 'from-genesis': FLAG, id: TEXT, all: FLAG },
  diff: { ...COMMON, 'from-genesis': FLAG, from: TEXT, to: TEXT, limit: TEXT },
} satisfies Record<ReplayQuestion['command'], ParseArgsConfig['options']>;

const DEFAULT_COUNT = 20;

/** Throws a UsageFault. */
export function parseRequest(words: readonly string[]): ReplayRequest {
  const [command, ...rest] = words;
  if (command === undefined) throw new UsageFault('A command is required.');
  if (!Object.hasOwn(OPTIONS, command)) {
    throw new UsageFault(`Unknown command '${command}'.`);
  }
  const given = parseOptions(command as ReplayQuestion['command'], rest);
  return {
    folder: text(given, 'archive'),
    isJson: given.json === true,
    // By default, verify does not trust snapshots.
    usesSnapshots: command === 'verify' ? given['from-snapshot'] === true : !given['from-genesis'],
    question: questionOf(command as ReplayQuestion['command'], given),
  };
}

function parseOptions(command: ReplayQuestion['command'], args: string[]): GivenOptions {
  try {
    return parseArgs({ args, options: OPTIONS[command], allowPositionals: false })
      .values as GivenOptions;
  } catch (error) {
    const [sentence] = (error as Error).message.split('. ');
    throw new UsageFault(`${sentence.replace(/\.$/, '')}.`, { cause: error });
  }
}

function questionOf(command: ReplayQuestion['command'], given: GivenOptions): ReplayQuestion {
  switch (command) {
    case 'verify':
      return { command };
    case 'balance':
      return { command, options: balanceOptions(given) };
    case 'order':
      return { command, options: { order: orderNumber(given), readsOn: given.all === true } };
    case 'diff': {
      const [from, to] = [moment(given, 'from'), moment(given, 'to')];
      return { command, options: { from, to, limit: count(given, 'limit') } };
    }
  }
}

function balanceOptions(given: GivenOptions): BalanceOptions {
  if (given.all === true && given.last !== undefined) {
    throw new UsageFault('--all and --last cannot be combined.');
  }
  return {
    owner: owner(given),
    asset: text(given, 'asset'),
    at: moment({ at: 'end', ...given }, 'at'),
    last: given.all === true ? Number.POSITIVE_INFINITY : count(given, 'last'),
  };
}

function text(given: GivenOptions, name: string): string {
  const value = given[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new UsageFault(`--${name} is required.`);
}

function numberIn(value: string): number | undefined {
  const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

function count(given: GivenOptions, name: string): number {
  const number = given[name] === undefined ? DEFAULT_COUNT : numberIn(text(given, name));
  if (number !== undefined) return number;
  throw new UsageFault(`Invalid --${name} '${text(given, name)}': expected a whole number.`);
}

function owner(given: GivenOptions): Owner {
  const value = text(given, 'user');
  if (value === 'external') return EXTERNAL_OWNER;
  if (value === 'fees') return FEES_OWNER;
  const number = numberIn(value);
  if (number !== undefined && number >= 1 && number <= USER_MAX) return number as Owner;
  throw new UsageFault(`Invalid --user '${value}': expected a user ID, external or fees.`);
}

function orderNumber(given: GivenOptions): OrderNumber {
  const value = text(given, 'id');
  const number = parseOrderId(value) ?? (numberIn(value) as OrderNumber | undefined);
  if (number !== undefined && number >= 1) return number;
  throw new UsageFault(`Invalid --id '${value}': expected the ID or number of an order.`);
}

function moment(given: GivenOptions, name: string): Moment {
  const found = parseMoment(text(given, name));
  if (found !== undefined) return found;
  throw new UsageFault(`Invalid --${name} '${text(given, name)}': expected ${MOMENT_FORMS}.`);
}
