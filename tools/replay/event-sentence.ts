// Describes each event in one sentence, for operators who investigate an incident.

import {
  type Event,
  LIMIT_NAMES,
  type MarketStatusSet,
  type OrderPlaced,
  type TradeExecuted,
} from '../../core/messages/index.ts';
import { timeText } from './moments.ts';
import type { Names } from './names.ts';

export function eventSentence(names: Names, event: Event): string {
  switch (event.kind) {
    case 'OrderPlaced':
      return placedSentence(names, event);
    case 'OrderTriggered':
      return `order ${event.order} is triggered`;
    case 'OrderAmended': {
      const { market, priceTicks, remainingLots } = event;
      const size = names.size(market, event.sizeLots);
      const { stopTicks } = event;
      const stop = stopTicks === 0 ? '' : `, stop ${names.price(market, stopTicks)}`;
      const terms = `${size} at ${names.price(market, priceTicks)}${stop}`;
      const place = event.keptPriority ? 'keeps its place' : 'goes to the back';
      const left = `${names.size(market, remainingLots)} left`;
      return `order ${event.order} is amended to ${terms}, ${left}, ${place}`;
    }
    case 'OrderClosed': {
      const left = names.size(event.market, event.remainingLots);
      const released = names.amount(event.heldAsset, event.releasedAtoms);
      const rest = event.reason === 'filled' ? '' : ` with ${left} left`;
      const back = event.releasedAtoms === 0n ? '' : `, releases ${released}`;
      return `order ${event.order} closes${rest}: ${event.reason}${back}`;
    }
    case 'TradeExecuted':
      return tradeSentence(names, event);
    case 'DeadManSwitchSet': {
      const when = event.deadlineMs === 0 ? 'is off' : `fires at ${timeText(event.deadlineMs)}`;
      return `the switch of user ${event.user}${keyText(event.key)} ${when}`;
    }
    case 'DeadManSwitchFired': {
      const { user, key, ordersCanceled } = event;
      return `the switch of user ${user}${keyText(key)} cancels ${ordersCanceled} orders`;
    }
    case 'CommandRefused': {
      const holder = event.order === 0 ? '' : ` by order ${event.order}`;
      return `command ${event.command} is refused: ${event.refusal}${holder}`;
    }
    case 'CommandRepeated': {
      const outcome = event.refusal === 'none' ? 'accepted' : event.refusal;
      return `command ${event.command} repeats command ${event.original}: ${outcome}`;
    }
    case 'CommandPoisoned':
      return `${causeText(event.command)} is poison and freezes ${frozenText(names, event)}`;
    case 'CommandVoided':
      return `command ${event.voided} is voided`;
    case 'AuditAnchored':
      return `the audit is at entry ${event.auditSequence}, hash ${event.hash}`;
    default:
      return moneySentence(names, event) ?? configurationSentence(names, event);
  }
}

function placedSentence(names: Names, order: OrderPlaced): string {
  const { market, user } = order;
  const [verb, worst] = order.side === 'buy' ? ['buys', 'at most'] : ['sells', 'at least'];
  const size = `${names.size(market, order.sizeLots)} ${names.market(market)}`;
  const at = order.type === 'market' ? worst : 'at';
  const price = `${at} ${names.price(market, order.priceTicks)}`;
  const terms = [
    `${order.type} ${order.timeInForce}`,
    ...(order.stopTicks === 0
      ? []
      : [`${order.trigger.replace('_', '-')} ${names.price(market, order.stopTicks)}`]),
    ...(order.expiresMs === 0 ? [] : [`expires at ${timeText(order.expiresMs)}`]),
    ...(order.linkedOrder === 0 ? [] : [`linked to order ${order.linkedOrder}`]),
    ...(order.postOnly ? ['post-only'] : []),
    ...(order.quick ? ['quick'] : []),
    ...(order.clientOrderId === '' ? [] : [`client id '${order.clientOrderId}'`]),
    `holds ${names.amount(order.heldAsset, order.heldAtoms)}`,
  ];
  return `order ${order.order} of user ${user} ${verb} ${size} ${price}, ${terms.join(', ')}`;
}

function tradeSentence(names: Names, trade: TradeExecuted): string {
  const { market, maker, makerOrder, taker, takerOrder } = trade;
  const [verb, preposition] = trade.takerSide === 'buy' ? ['buys', 'from'] : ['sells', 'to'];
  const [got, gave] =
    trade.takerSide === 'buy' ? [trade.base, trade.quote] : [trade.quote, trade.base];
  const sizeAndPrice = [
    `${names.size(market, trade.sizeLots)} ${names.market(market)}`,
    `at ${names.price(market, trade.priceTicks)}`,
  ].join(' ');
  const fees = [
    ...(trade.takerFeeAtoms === 0n ? [] : [`taker ${names.amount(got, trade.takerFeeAtoms)}`]),
    ...(trade.makerFeeAtoms === 0n ? [] : [`maker ${names.amount(gave, trade.makerFeeAtoms)}`]),
  ];
  const feesText = fees.length === 0 ? '' : `, fees: ${fees.join(', ')}`;
  const marks = [...(trade.quick ? ['quick'] : []), ...(trade.house ? ['house'] : [])];
  const marksText = marks.length === 0 ? '' : ` (${marks.join(', ')})`;
  const [taking, making] = [partyText(taker, takerOrder), partyText(maker, makerOrder)];
  const meeting = `${taking} ${verb} ${sizeAndPrice} ${preposition} ${making}`;
  return `trade ${trade.trade}: ${meeting}${feesText}${marksText}`;
}

/** A direct trade has no orders. */
function partyText(user: number, order: number): string {
  return order === 0 ? `user ${user}` : `order ${order} of user ${user}`;
}

function moneySentence(names: Names, event: Event): string | undefined {
  switch (event.kind) {
    case 'DepositCredited':
      return `user ${event.user} is credited ${sumText(names, event)} ('${event.reference}')`;
    case 'AssetMinted':
      return `${sumText(names, event)} minted for user ${event.user} ('${event.reference}')`;
    case 'AssetBurned':
      return `${sumText(names, event)} burned from user ${event.user} ('${event.reference}')`;
    case 'AssetTransferred': {
      const route = `from user ${event.sender} to user ${event.receiver}`;
      return `${sumText(names, event)} ${route} ('${event.reference}')`;
    }
    case 'FeesSettled':
      return `user ${event.user} gets ${sumText(names, event)} of fees`;
    case 'WithdrawalOpened':
    case 'WithdrawalCompleted':
    case 'WithdrawalCanceled': {
      const verb = event.kind.slice('Withdrawal'.length).toLowerCase();
      const fee = `fee ${names.amount(event.feeAsset, event.feeAtoms)}`;
      const of = `${sumText(names, event)} of user ${event.user}, ${fee}`;
      return `withdrawal ${event.withdrawal} ${verb}: ${of}`;
    }
    default:
      return undefined;
  }
}

function configurationSentence(names: Names, event: Event): string {
  switch (event.kind) {
    case 'AssetListed': {
      const cap = names.amount(event.asset, event.issuanceCapAtoms);
      return `asset ${event.symbol} is listed, scale ${event.scale}, issuance cap ${cap}`;
    }
    case 'IssuanceCapSet':
      return `the issuance cap is ${names.amount(event.asset, event.issuanceCapAtoms)}`;
    case 'MarketListed':
      return `market ${names.market(event.market)} is listed, ${event.status}`;
    case 'MarketStatusSet':
      return `market ${names.market(event.market)} is ${event.status}${untilText(event)}`;
    case 'AuctionPriceSet': {
      const price = names.price(event.market, event.priceTicks);
      return `market ${names.market(event.market)} uncrosses at ${price}`;
    }
    case 'MarketFeesSet': {
      const { makerPpm, takerPpm, tier } = event;
      const fees = `maker ${makerPpm} ppm, taker ${takerPpm} ppm`;
      return `fees of ${names.market(event.market)} in tier ${tier} are ${fees}`;
    }
    case 'UserFeesSet':
      return `user ${event.user} is in tier ${event.tier}, discount ${event.discountPpm} ppm`;
    case 'UserGroupSet': {
      const house = event.house ? ', a house account' : '';
      return `user ${event.user} is in group ${event.group}${house}`;
    }
    case 'PriceBandSet': {
      const reference = names.price(event.market, event.referenceTicks);
      const rates = `${event.bandPpm} ppm, slippage ${event.slippagePpm} ppm`;
      return `the band of ${names.market(event.market)} is ${rates}, reference ${reference}`;
    }
    case 'BandReferenceMoved': {
      const reference = names.price(event.market, event.referenceTicks);
      return `the reference of ${names.market(event.market)} moves to ${reference}`;
    }
    case 'RulesVersionSet':
      return `rules version ${event.version} applies`;
    case 'LimitsSet':
      return `limits are ${LIMIT_NAMES.map((name) => `${name} ${event[name]}`).join(', ')}`;
    default:
      return event.kind;
  }
}

function sumText(names: Names, event: { asset: number; amountAtoms: bigint }): string {
  return names.amount(event.asset as Parameters<Names['amount']>[0], event.amountAtoms);
}

function untilText({ auctionEndsMs }: MarketStatusSet): string {
  return auctionEndsMs === 0 ? '' : ` until ${timeText(auctionEndsMs)}`;
}

function keyText(key: number): string {
  return key === 0 ? '' : ` for key ${key}`;
}

function causeText(command: number): string {
  return command === 0 ? 'a step of time' : `command ${command}`;
}

type Poisoned = Extract<Event, { kind: 'CommandPoisoned' }>;

function frozenText(names: Names, { market, channel }: Poisoned): string {
  const frozen = [
    ...(market === 0 ? [] : [names.market(market)]),
    ...(channel === 0 ? [] : [`channel ${channel}`]),
  ];
  return frozen.length === 0 ? 'nothing' : frozen.join(' and ');
}
