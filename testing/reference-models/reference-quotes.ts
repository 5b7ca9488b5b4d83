// Executes a quote: a complete fill at the quoted amount or nothing. Section 8 of the rules.

import type { ExecuteQuote, Refusal } from '../../core/messages/index.ts';
import { checkTraderCapacity, checkUser } from './reference-capacity.ts';
import { availableOf } from './reference-ledger.ts';
import { walk } from './reference-matching.ts';
import {
  checkClientOrderId,
  checkMarketOpen,
  checkOrderCapacity,
  checkPostOnlyStatus,
  holdOf,
  takeOrder,
} from './reference-orders.ts';
import { checkSizeBounds, worstQuoteTicks } from './reference-prices.ts';
import { findMarket, type ReferenceState } from './reference-state.ts';
import { bringIn, runStopStep } from './reference-stops.ts';

export function executeQuote(state: ReferenceState, command: ExecuteQuote): Refusal | undefined {
  if (checkUser(command.user) !== undefined) return 'user_must_be_valid';
  const market = findMarket(state, command.market);
  if (market === undefined) return 'market_must_exist';
  const refusal =
    checkMarketOpen(state, market) ??
    checkPostOnlyStatus(market, false) ??
    (market.status === 'auction' ? 'auction_accepts_resting_limit_orders_only' : undefined) ??
    checkSizeBounds(market, command.sizeLots) ??
    checkQuote(state, command) ??
    checkClientOrderId(state, command) ??
    checkOrderCapacity(state) ??
    checkTraderCapacity(state, { user: command.user, assets: [market.base, market.quote] });
  if (refusal !== undefined) return refusal;

  const terms = {
    ...command,
    type: 'market' as const,
    timeInForce: 'FOK' as const,
    selfTrade: 'cancel_newest' as const,
    postOnly: false,
    priceTicks: worstQuoteTicks(market, command.side),
    stopTicks: 0,
    trigger: 'stop' as const,
    linkedOrder: 0,
    expiresMs: 0,
    note: '',
    quick: true,
    holdsExactCost: command.side === 'buy',
  };
  const { filledLots, quoteAtoms } = walk(state, market, terms);
  if (filledLots < command.sizeLots) return 'order_cannot_be_filled_completely';
  const isWorseThanQuoted =
    command.side === 'buy' ? quoteAtoms > command.quoteAtoms : quoteAtoms < command.quoteAtoms;
  if (isWorseThanQuoted) return 'quoted_price_no_longer_available';
  const heldAtoms = holdOf(state, market, terms);
  const heldAsset = command.side === 'buy' ? market.quote : market.base;
  if (availableOf(state.ledger, command.user, heldAsset) < heldAtoms) {
    return 'available_balance_too_small';
  }
  bringIn(state, takeOrder(state, market, { ...terms, heldAtoms }));
  runStopStep(state, market);
  return undefined;
}

function checkQuote(state: ReferenceState, command: ExecuteQuote): Refusal | undefined {
  if (command.quoteAtoms <= 0n) return 'amount_must_be_positive';
  if (state.timeMs > command.expiresAtMs) return 'quote_has_expired';
  return undefined;
}
