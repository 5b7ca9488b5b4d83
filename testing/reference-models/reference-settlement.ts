// Settles one trade: the payments of both sides and their fees.

import { FEES_OWNER, type Side } from '../../core/messages/index.ts';
import {
  payFromAvailable,
  payFromHeld,
  type ReferenceLedger,
  release,
} from './reference-ledger.ts';
import type { ReferenceMarket } from './reference-state.ts';

export interface SettledTrade {
  readonly takerSide: Side;
  readonly maker: number;
  readonly taker: number;
  readonly baseAtoms: bigint;
  readonly quoteAtoms: bigint;
  readonly makerFeeAtoms: bigint;
  readonly takerFeeAtoms: bigint;
  readonly releasedAtoms: bigint;
}

/** Orders pay from their hold, a direct trade from the available balance. */
export function settleTrade(
  ledger: ReferenceLedger,
  market: ReferenceMarket,
  trade: SettledTrade,
  from: 'held' | 'available',
): void {
  const takerBuys = trade.takerSide === 'buy';
  const buyer = takerBuys ? trade.taker : trade.maker;
  const seller = takerBuys ? trade.maker : trade.taker;
  const buyerFee = takerBuys ? trade.takerFeeAtoms : trade.makerFeeAtoms;
  const sellerFee = takerBuys ? trade.makerFeeAtoms : trade.takerFeeAtoms;
  const pay = from === 'held' ? payFromHeld : payFromAvailable;
  const { base, quote } = market;

  pay(ledger, { asset: base, atoms: trade.baseAtoms, from: seller, to: buyer });
  pay(ledger, { asset: quote, atoms: trade.quoteAtoms, from: buyer, to: seller });
  payFromAvailable(ledger, { asset: base, atoms: buyerFee, from: buyer, to: FEES_OWNER });
  payFromAvailable(ledger, { asset: quote, atoms: sellerFee, from: seller, to: FEES_OWNER });
  release(ledger, buyer, quote, trade.releasedAtoms);
}
