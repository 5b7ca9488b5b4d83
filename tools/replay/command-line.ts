// What is asked of the replay, from the words of a command line. A word that is not understood is
// a UsageFault: nothing is guessed.

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { EXTERNAL_OWNER, FEES_OWNER, type Owner, parseOrderId } from '../../core/messages/index.ts';
import { type OrderNumber, USER_MAX } from '../../core/money/index.ts';
import type { BalanceOptions } from './balance.ts';
import type { DiffOptions } from './diff.ts';
import { MOMENT_FORMS, type Moment, parseMoment } from './moments.ts';
import type { OrderOptions } from './order.ts';

export const USAGE = `Usage: npm run replay -- VERB --archive FOLDER [OPTION…]

  verify    checks every file, link and frame, replays all, compares the hashes
              --from-snapshot     replays from the newest snapshot on
  balance   what an account held, and why
              --user U            a number, or external, or fees
              --asset A           a symbol or an id
              --at MOMENT         the end if not given
              --last N | --all    how many postings; 20 if not given
  order     the whole life of an order
              --id X              the id that clients see, or its number
              --all               reads on after it has closed
  diff      what changed between two moments
              --from MOMENT --to MOMENT
              --limit N           how many of each list; 20 if not given

  --json          one JSON document; atoms are strings
  --from-genesis  uses no snapshot (balance, order, diff)

MOMENT is ${MOMENT_FORMS}.`;

export class UsageFault extends Error {
  override readonly name = 'UsageFault';
}

export type Asked =
  | { readonly verb: 'verify' }
  | { readonly verb: 'balance'; readonly options: BalanceOptions }
  | { readonly verb: 'order'; readonly options: OrderOptions }
  | { readonly verb: 'diff'; readonly options: DiffOptions };

export interface CommandLine {
  readonly folder: string;
  readonly isJson: boolean;
  readonly usesSnapshots: boolean;
  readonly asked: Asked;
}

type Given = Readonly<Record<string, string | boolean | undefined>>;

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;
const ALWAYS = { archive: TEXT, json: FLAG };
const OPTIONS = {
  verify: { ...ALWAYS, 'from-snapshot': FLAG },
  balance: {
    ...ALWAYS,
    'from-genesis': FLAG,
    user: TEXT,
    asset: TEXT,
    at: TEXT,
    last: TEXT,
    all: FLAG,
  },
  order: { ...ALWAYS, 'from-genesis': FLAG, id: TEXT, all: FLAG },
  diff: { ...ALWAYS, 'from-genesis': FLAG, from: TEXT, to: TEXT, limit: TEXT },
} satisfies Record<Asked['verb'], ParseArgsConfig['options']>;

const SHOWN_UNLESS_SAID = 20;

export function parseCommandLine(words: readonly string[]): CommandLine {
  const [verb, ...rest] = words;
  if (verb === undefined || !Object.hasOwn(OPTIONS, verb)) {
    throw new UsageFault(verb === undefined ? 'no verb is given' : `there is no verb ${verb}`);
  }
  const given = parseOptions(verb as Asked['verb'], rest);
  return {
    folder: text(given, 'archive'),
    isJson: given.json === true,
    // Verifying trusts no snapshot unless told to.
    usesSnapshots: verb === 'verify' ? given['from-snapshot'] === true : !given['from-genesis'],
    asked: askedFor(verb as Asked['verb'], given),
  };
}

function parseOptions(verb: Asked['verb'], args: string[]): Given {
  try {
    return parseArgs({ args, options: OPTIONS[verb], allowPositionals: false }).values as Given;
  } catch (error) {
    throw new UsageFault((error as Error).message, { cause: error });
  }
}

function askedFor(verb: Asked['verb'], given: Given): Asked {
  switch (verb) {
    case 'verify':
      return { verb };
    case 'balance':
      return { verb, options: balanceOptions(given) };
    case 'order':
      return { verb, options: { order: orderNumber(given), readsOn: given.all === true } };
    case 'diff': {
      const [from, to] = [moment(given, 'from'), moment(given, 'to')];
      return { verb, options: { from, to, limit: count(given, 'limit') } };
    }
  }
}

function balanceOptions(given: Given): BalanceOptions {
  if (given.all === true && given.last !== undefined) {
    throw new UsageFault('--all and --last exclude each other');
  }
  return {
    owner: owner(given),
    asset: text(given, 'asset'),
    at: moment({ at: 'end', ...given }, 'at'),
    last: given.all === true ? Number.POSITIVE_INFINITY : count(given, 'last'),
  };
}

function text(given: Given, name: string): string {
  const value = given[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new UsageFault(`--${name} is missing`);
}

function wholeNumber(value: string): number | undefined {
  const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

function count(given: Given, name: string): number {
  const number = given[name] === undefined ? SHOWN_UNLESS_SAID : wholeNumber(text(given, name));
  if (number !== undefined) return number;
  throw new UsageFault(`--${name} is a whole number`);
}

function owner(given: Given): Owner {
  const value = text(given, 'user');
  if (value === 'external') return EXTERNAL_OWNER;
  if (value === 'fees') return FEES_OWNER;
  const number = wholeNumber(value);
  if (number !== undefined && number >= 1 && number <= USER_MAX) return number as Owner;
  throw new UsageFault('--user is the number of a user, or external, or fees');
}

function orderNumber(given: Given): OrderNumber {
  const value = text(given, 'id');
  const number = parseOrderId(value) ?? (wholeNumber(value) as OrderNumber | undefined);
  if (number !== undefined && number >= 1) return number;
  throw new UsageFault('--id is the id of an order or its number');
}

function moment(given: Given, name: string): Moment {
  const found = parseMoment(text(given, name));
  if (found !== undefined) return found;
  throw new UsageFault(`--${name} is ${MOMENT_FORMS}`);
}
