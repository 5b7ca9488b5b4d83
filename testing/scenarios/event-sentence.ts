// The sentence that a story must state for each event. Events that only repeat the action (an order
// placed, a setting changed) need no sentence.

import type { Event, OrderPlaced, TradeExecuted } from '../../core/messages/index.ts';
import {
  type AssetId,
  type Atoms,
  decimalFromLots,
  decimalFromTicks,
  type Lots,
  type MarketId,
} from '../../core/money/index.ts';
import { nameOf } from './cast.ts';
import { amountText, START_TIME_MS, type Stage, type StagedMarket } from './stage.ts';

export function sentenceOf(stage: Stage, event: Event): string | undefined {
  switch (event.kind) {
    case 'CommandRefused': {
      const holder = event.order === 0 ? '' : ` by ${labelOf(stage, event.order)}`;
      return `refused: ${event.refusal}${holder}`;
    }
    case 'CommandRepeated':
      return `repeated: first ${event.refusal === 'none' ? 'accepted' : event.refusal}`;
    case 'OrderTriggered':
      return `${labelOf(stage, event.order)} triggers`;
    case 'TradeExecuted':
      return tradeSentence(stage, event);
    case 'OrderAmended': {
      const place = event.keptPriority ? 'keeps its place' : 'goes to the back';
      return `${labelOf(stage, event.order)} ${place}`;
    }
    case 'OrderClosed': {
      const label = labelOf(stage, event.order);
      if (event.reason === 'filled') return `${label} filled`;
      const left = lotsText(marketById(stage, event.market), event.remainingLots);
      return `${label} closes with ${left} left: ${event.reason}`;
    }
    case 'DeadManSwitchSet': {
      const of = `${nameOf(event.user)}'s switch${event.key === 0 ? '' : ` for key ${event.key}`}`;
      const seconds = (event.deadlineMs - START_TIME_MS) / 1_000;
      return event.deadlineMs === 0 ? `${of} is off` : `${of} will fire at ${seconds}s`;
    }
    case 'DeadManSwitchFired': {
      const of = `${nameOf(event.user)}'s switch${event.key === 0 ? '' : ` for key ${event.key}`}`;
      return `${of} fires on ${event.ordersCanceled} orders`;
    }
    case 'CommandPoisoned':
      return `poisoned: freezes ${frozenText(stage, event.market, event.channel)}`;
    case 'CommandVoided':
      return 'voided';
    case 'AuctionPriceSet': {
      const market = marketById(stage, event.market);
      return `${market.symbol} uncrosses at ${decimalFromTicks(event.priceTicks, market.tick)}`;
    }
    case 'MarketStatusSet':
      // The action already states a status that a command sets.
      return event.command === 0
        ? `${marketById(stage, event.market).symbol} is ${event.status}`
        : undefined;
    case 'AuditAnchored':
      return `the audit is at entry ${event.auditSequence}`;
    default:
      return moneySentence(stage, event);
  }
}

/** A story can also state an order's hold. */
export function placedSentence(stage: Stage, event: OrderPlaced): string {
  const price = decimalFromTicks(event.priceTicks, marketById(stage, event.market).tick);
  const held = amountText(assetById(stage, event.heldAsset), event.heldAtoms);
  return `${labelOf(stage, event.order)} placed at ${price}, holding ${held}`;
}

function moneySentence(stage: Stage, event: Event): string | undefined {
  switch (event.kind) {
    case 'DepositCredited':
      return `${nameOf(event.user)} is credited ${moneyText(stage, event)}`;
    case 'AssetMinted':
      return `${moneyText(stage, event)} minted for ${nameOf(event.user)}`;
    case 'AssetBurned':
      return `${moneyText(stage, event)} burned from ${nameOf(event.user)}`;
    case 'AssetTransferred':
      return `${nameOf(event.receiver)} gets ${moneyText(stage, event)} of ${nameOf(event.sender)}`;
    case 'WithdrawalOpened':
    case 'WithdrawalCompleted':
    case 'WithdrawalCanceled': {
      const verb = event.kind.slice('Withdrawal'.length).toLowerCase();
      const fee = amountText(assetById(stage, event.feeAsset), event.feeAtoms);
      const feeText = event.feeAtoms === 0n ? '' : `, fee ${fee}`;
      return `w${event.withdrawal} ${verb}: ${moneyText(stage, event)}${feeText}`;
    }
    case 'FeesSettled':
      return `${nameOf(event.user)} gets ${moneyText(stage, event)} of fees`;
    default:
      return undefined;
  }
}

function tradeSentence(stage: Stage, event: TradeExecuted): string {
  const market = marketById(stage, event.market);
  const isDirect = event.takerOrder === 0;
  const taker = isDirect ? nameOf(event.taker) : labelOf(stage, event.takerOrder);
  const maker = isDirect ? nameOf(event.maker) : labelOf(stage, event.makerOrder);
  const [verb, preposition] = event.takerSide === 'buy' ? ['buys', 'from'] : ['sells', 'to'];
  const size = lotsText(market, event.sizeLots);
  const price = decimalFromTicks(event.priceTicks, market.tick);
  const trade = `${taker} ${verb} ${size} at ${price} ${preposition} ${maker}`;
  const [got, gave] =
    event.takerSide === 'buy' ? [market.base, market.quote] : [market.quote, market.base];
  const fees = [
    [taker, event.takerFeeAtoms, got] as const,
    [maker, event.makerFeeAtoms, gave] as const,
  ].flatMap(([who, atoms, asset]) =>
    atoms === 0n ? [] : [`${who} pays ${amountText(asset, atoms)}`],
  );
  const marks = [...(event.quick ? ['quick'] : []), ...(event.house ? ['house'] : [])];
  return `${[trade, ...fees].join(', ')}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`;
}

function moneyText(stage: Stage, { asset, amountAtoms }: { asset: AssetId; amountAtoms: Atoms }) {
  return amountText(assetById(stage, asset), amountAtoms);
}

function lotsText(market: StagedMarket, lots: Lots): string {
  return decimalFromLots(lots, market.lot);
}

function frozenText(stage: Stage, market: MarketId, channel: number): string {
  const frozen = [
    ...(market === 0 ? [] : [marketById(stage, market).symbol]),
    ...(channel === 0 ? [] : [`channel ${channel}`]),
  ];
  return frozen.length === 0 ? 'nothing' : frozen.join(' and ');
}

export function labelOf(stage: Stage, order: number): string {
  return stage.labels.get(order) ?? `order ${order}`;
}

export function marketById(stage: Stage, id: number): StagedMarket {
  return [...stage.markets.values()][id - 1];
}

export function assetById(stage: Stage, id: number) {
  return [...stage.assets.values()][id - 1];
}
