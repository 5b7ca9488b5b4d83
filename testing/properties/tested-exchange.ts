// The engine and the reference behind one interface, so any two exchanges can be compared.

import {
  accountsOf,
  applyFrame,
  auditExchange,
  bookOf,
  createExchange,
  type Exchange,
  hashExchange,
  lastPriceTicks,
  restoreExchange,
  snapshotExchange,
} from '../../core/engine/index.ts';
import type { CommandFrame, EventFrame } from '../../core/messages/index.ts';
import type { MarketId } from '../../core/money/index.ts';
import { type BookView, createReferenceExchange } from '../reference-models/index.ts';

export interface AccountView {
  readonly owner: number;
  readonly asset: number;
  readonly availableAtoms: bigint;
  readonly heldAtoms: bigint;
}

export interface TestedExchange {
  apply(frame: CommandFrame, poisoned?: ReadonlySet<number>): EventFrame;
  /** All accounts in any order, including the system's. */
  accounts(): readonly AccountView[];
  book(market: number): BookView;
  lastPriceTicks(market: number): number;
  /** Throws if an invariant is broken. */
  audit(): void;
}

export type MakeExchange = () => TestedExchange;

export interface TestedEngine extends TestedExchange {
  hash(): string;
  snapshot(): Uint8Array;
}

export function makeReference(): TestedExchange {
  const reference = createReferenceExchange();
  return { ...reference, audit: reference.assertInvariants };
}

export function makeEngine(): TestedEngine {
  return exchangeOver(createExchange());
}

export function restoreEngine(bytes: Uint8Array): TestedEngine {
  return exchangeOver(restoreExchange(bytes));
}

function exchangeOver(exchange: Exchange): TestedEngine {
  return {
    apply: (frame, poisoned) => applyFrame(exchange, frame, poisoned),
    accounts: () => accountsOf(exchange),
    book: (market) => bookOf(exchange, market as MarketId),
    lastPriceTicks: (market) => lastPriceTicks(exchange, market as MarketId),
    audit: () => auditExchange(exchange),
    hash: () => hashExchange(exchange),
    snapshot: () => snapshotExchange(exchange),
  };
}

/** Sorts by owner, then asset, because two exchanges can open accounts in different orders. */
export function sortedAccounts(exchange: TestedExchange): AccountView[] {
  const accounts = exchange.accounts().map((account) => ({ ...account }));
  return accounts.sort((a, b) => a.owner - b.owner || a.asset - b.asset);
}
