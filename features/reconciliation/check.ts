// A check compares two copies of the same money. It walks: each call reads a bounded number of rows
// and returns where the next call continues.

import { type Atoms, decimalFromAtoms } from '../../core/money/index.ts';
import type { Connection } from '../../infra/postgres/index.ts';
import type { EngineState } from './engine-state.ts';

export const CHECK_NAMES = [
  'engine_sums',
  'balances',
  'entries',
  'log',
  'orders',
  'users',
  'channels',
  'holds',
  'deposits',
  'withdrawals',
  'notices',
  'holdings',
  'custody',
  'coins',
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export interface CoinAt {
  readonly asset: number;
  readonly address: Uint8Array;
}

/** Reads balances from a chain. */
export interface CoinSource {
  /**
   * Returns the units at the end of a block, in the order of the coins: undefined for a coin that
   * the custody file does not list. Throws NodeAway if no node can answer now.
   */
  unitsAt(
    network: string,
    blockHash: Uint8Array,
    coins: readonly CoinAt[],
  ): Promise<readonly (bigint | undefined)[]>;
  /** Converts units of the chain, rounded down; 0 for a coin that the file does not list. */
  atomsOf(network: string, asset: number, units: bigint): bigint;
}

/** The node failed, or does not have the block. */
export class NodeAway extends Error {}

export interface CheckContext {
  /** Its search path is the registry. */
  readonly connection: Connection;
  readonly projectionSchema: string;
  readonly engine: EngineState;
  readonly nowMs: number;
  /** Maximum rows per call. */
  readonly rowsMax: number;
  /** Balances on chains; undefined without custody. */
  readonly coins?: CoinSource | undefined;
}

/** Two copies that should be equal but are not. */
export interface Difference {
  /** For example `account 17 btc available` or `withdrawal 12`. */
  readonly object: string;
  /** Symbol; undefined if it does not concern a single asset. */
  readonly asset: string | undefined;
  readonly expected: string;
  readonly found: string;
  /** No operation in progress can look like this, so it counts when it is first found. */
  readonly isCertain?: boolean;
}

/** Key of the last row read, and state for the next call. */
export type Place = readonly string[];

export interface Walked {
  /** Frame of the compared values, if both sides have one. */
  readonly frame: number | undefined;
  readonly rows: number;
  readonly differences: readonly Difference[];
  /** Where the next call continues; undefined at the end of a pass. */
  readonly next: Place | undefined;
}

export interface Check {
  readonly name: CheckName;
  /** A discrepancy pauses withdrawals. */
  readonly pauses: boolean;
  /** 'later': nothing can be compared right now; the same place is requested again. */
  walk(context: CheckContext, from: Place | undefined): Promise<Walked | 'later'>;
}

/** Reads in one snapshot of the database. */
export async function inSnapshot<Result>(
  connection: Connection,
  read: () => Promise<Result>,
): Promise<Result> {
  await connection.query('begin transaction isolation level repeatable read read only');
  try {
    return await read();
  } finally {
    await connection.query('commit').catch(() => {});
  }
}

/** A full pass takes at most this many steps, unless each reads `rowsMax` rows. */
const PASS_STEPS = 300;

/** Rows per step of a costly check: a part of `rowsMax`, more if there are many. */
export function stepRows({ rowsMax }: CheckContext, share: number, total: number): number {
  return Math.ceil(Math.min(rowsMax, Math.max(rowsMax / share, total / PASS_STEPS)));
}

/** Returns the last frame in the tables, or undefined while one is only partly there. */
export async function projectedFrame(
  connection: Connection,
  schema: string,
): Promise<number | undefined> {
  const { rows } = await connection.query(
    `select frame_sequence, is_complete from ${schema}.projection`,
  );
  return rows[0]?.is_complete === true ? Number(rows[0].frame_sequence) : undefined;
}

/** A readable amount, for example `1.5 btc`. */
export function amountText(engine: EngineState, asset: number, atoms: bigint): string {
  const { scale, symbol } = engine.assetOf(asset);
  const size = decimalFromAtoms((atoms < 0n ? -atoms : atoms) as Atoms, scale);
  return `${atoms < 0n ? '-' : ''}${size} ${symbol}`;
}
