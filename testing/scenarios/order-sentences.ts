// Traders' sentences about orders: placing, canceling, amending, quotes, direct trades and the dead
// man's switch.

import {
  type PlaceOrder,
  SELF_TRADE_MODES,
  type SelfTradeMode,
  type Side,
  TIMES_IN_FORCE,
  type TimeInForce,
  type Trigger,
} from '../../core/messages/index.ts';
import type {
  KeyId,
  Lots,
  MarketId,
  OrderNumber,
  Ppm,
  Ticks,
  TimeMs,
  UserId,
} from '../../core/money/index.ts';
import { type Sentence, sentence, type Words } from './sentence.ts';
import {
  actorOf,
  atomsOf,
  lotsOf,
  marketOf,
  nameNextOrder,
  nextId,
  orderOf,
  positionOf,
  START_TIME_MS,
  type Stage,
  ticksOf,
} from './stage.ts';
import { durationMsOf, ppmOf } from './stated-numbers.ts';

export const ORDER_SENTENCES: readonly Sentence[] = [
  sentence(
    '<user:who> (?<side>buys|sells) <amount:size> at <amount:price> directly (?:from|to)' +
      ' <user:maker>(?:, fees <percent:fee> and <percent:makerFee>)?(?: \\((?<position>.*)\\))?',
    (stage, words) => tradingDirectly(stage, words),
  ),
  sentence(
    '<user:who> (?<side>buys|sells) <amount:size>(?: <market:market>)?' +
      '(?<type> market)?(?: at <amount:price>)?(?<terms>(?: \\S+)*)',
    (stage, words) => placing(stage, words),
  ),
  sentence(
    '<user:who> (?<trigger>stop|take-profit)-(?<side>buys|sells) <amount:size>' +
      '(?: <market:market>)?' +
      ' at <amount:stop>(?:(?<type> market)| limit <amount:price>)(?<terms>(?: \\S+)*)',
    (stage, words) => placing(stage, words),
  ),
  sentence('<user:who> cancels id <word:id>', (stage, { who, id }) => ({
    command: {
      ...nextId(stage),
      kind: 'CancelOrderByClientId',
      user: actorOf(stage, who!),
      clientOrderId: id!,
    },
  })),
  sentence('<user:who> cancels <order:order>', (stage, { who, order }) => ({
    command: {
      ...nextId(stage),
      kind: 'CancelOrder',
      user: actorOf(stage, who!),
      order: orderOf(stage, order!),
      byOperator: false,
    },
  })),
  sentence('operator cancels <order:order> of <user:whose>', (stage, { order, whose }) => ({
    command: {
      ...nextId(stage),
      kind: 'CancelOrder',
      user: actorOf(stage, whose!),
      order: orderOf(stage, order!),
      byOperator: true,
    },
  })),
  sentence('<user:who> cancels all(?: in <market:market>)?', (stage, { who, market }) =>
    cancellingAll(stage, { user: actorOf(stage, who!), market, byOperator: false }),
  ),
  sentence(
    'operator cancels all of <user:whose>(?: in <market:market>)?',
    (stage, { whose, market }) =>
      cancellingAll(stage, { user: actorOf(stage, whose!), market, byOperator: true }),
  ),
  sentence(
    '<user:who> amends <order:order>(?: in <market:market>)?' +
      '(?: to <amount:size>)?(?: at <amount:price>)?(?: stop <amount:stop>)?',
    (stage, { who, order, market, size, price, stop }) => ({
      command: {
        ...nextId(stage),
        kind: 'AmendOrder',
        user: actorOf(stage, who!),
        order: orderOf(stage, order!),
        sizeLots: size === undefined ? (0 as Lots) : lotsOf(marketOf(stage, market), size),
        priceTicks: price === undefined ? (0 as Ticks) : ticksOf(marketOf(stage, market), price),
        stopTicks: stop === undefined ? (0 as Ticks) : ticksOf(marketOf(stage, market), stop),
      },
    }),
  ),
  sentence(
    '<user:who> takes the quote to (?<side>buy|sell) <amount:size> for <amount:quote>' +
      ' valid until <duration:until>(?: id <word:id>)?',
    (stage, words) => takingQuote(stage, words),
  ),
  sentence(
    '<user:who> arms a switch of <duration:timeout>(?: for key <number:key>)?',
    (stage, { who, timeout, key }) => settingSwitch(stage, { who, timeout, key }),
  ),
  sentence('<user:who> disarms the switch(?: for key <number:key>)?', (stage, { who, key }) =>
    settingSwitch(stage, { who, timeout: '0s', key }),
  ),
];

function placing(stage: Stage, words: Words) {
  const market = marketOf(stage, words.market);
  const terms = readTerms(stage, words);
  const command: PlaceOrder = {
    ...nextId(stage),
    kind: 'PlaceOrder',
    user: actorOf(stage, words.who!),
    market: market.id,
    side: words.side === 'buys' ? 'buy' : 'sell',
    type: words.type === undefined ? 'limit' : 'market',
    priceTicks: words.price === undefined ? (0 as Ticks) : ticksOf(market, words.price),
    sizeLots: lotsOf(market, words.size!),
    stopTicks: words.stop === undefined ? (0 as Ticks) : ticksOf(market, words.stop),
    note: '',
    ...terms,
  };
  if (command.type === 'limit' && words.price === undefined) {
    throw new Error("an order is 'at' a price or 'market'");
  }
  nameNextOrder(stage, words.who!);
  return { command };
}

type Terms = Pick<
  PlaceOrder,
  | 'timeInForce'
  | 'selfTrade'
  | 'postOnly'
  | 'clientOrderId'
  | 'key'
  | 'trigger'
  | 'linkedOrder'
  | 'expiresMs'
>;

/** The words after size and price: ioc, post-only, cancel-oldest, id X, key N. */
function readTerms(stage: Stage, words: Words): Terms {
  let timeInForce: TimeInForce = words.type === undefined ? 'GTC' : 'IOC';
  let selfTrade: SelfTradeMode = 'cancel_newest';
  let postOnly = false;
  let clientOrderId = '';
  let key = 0;
  let linkedOrder = 0 as OrderNumber;
  let expiresMs = 0;
  let trigger: Trigger = words.trigger === 'take-profit' ? 'take_profit' : 'stop';
  const rest = (words.terms ?? '').split(' ').filter((word) => word !== '');
  while (rest.length > 0) {
    const word = rest.shift()!;
    const time = TIMES_IN_FORCE.find((known) => known.toLowerCase() === word);
    const mode = SELF_TRADE_MODES.find((known) => known === word.replace('-', '_'));
    if (time !== undefined) timeInForce = time;
    else if (mode !== undefined && mode !== 'off') selfTrade = mode;
    else if (word === 'self-trade-off') selfTrade = 'off';
    else if (word === 'post-only') postOnly = true;
    else if (word === 'until' && rest.length > 0) {
      expiresMs = START_TIME_MS + durationMsOf(rest.shift()!);
    } else if (word === 'linked-to' && rest.length > 0) linkedOrder = orderOf(stage, rest.shift()!);
    else if (word === 'take-profit') trigger = 'take_profit';
    else if (word === 'id' && rest.length > 0) clientOrderId = rest.shift()!;
    else if (word === 'key' && /^\d+$/.test(rest[0] ?? '')) key = Number(rest.shift());
    else throw new Error(`'${word}' is not a term of an order`);
  }
  return {
    timeInForce,
    selfTrade,
    postOnly,
    clientOrderId,
    key: key as KeyId,
    trigger,
    linkedOrder,
    expiresMs: expiresMs as TimeMs,
  };
}

function cancellingAll(
  stage: Stage,
  options: { user: UserId; market: string | undefined; byOperator: boolean },
) {
  const market = options.market === undefined ? 0 : marketOf(stage, options.market).id;
  const { user, byOperator } = options;
  return {
    command: {
      ...nextId(stage),
      kind: 'CancelAllOrders' as const,
      user,
      market: market as MarketId,
      byOperator,
    },
  };
}

function takingQuote(stage: Stage, { who, side, size, quote, until, id }: Words) {
  const market = marketOf(stage);
  const command = {
    ...nextId(stage),
    kind: 'ExecuteQuote' as const,
    user: actorOf(stage, who!),
    key: 0 as KeyId,
    market: market.id,
    side: side as Side,
    sizeLots: lotsOf(market, size!),
    quoteAtoms: atomsOf(market.quote, quote!),
    expiresAtMs: (START_TIME_MS + durationMsOf(until!)) as TimeMs,
    clientOrderId: id ?? '',
  };
  nameNextOrder(stage, who!);
  return { command };
}

function tradingDirectly(stage: Stage, words: Words) {
  const market = marketOf(stage);
  return {
    command: {
      ...nextId(stage),
      ...positionOf(stage, words.position),
      kind: 'TradeDirectly' as const,
      market: market.id,
      maker: actorOf(stage, words.maker!),
      taker: actorOf(stage, words.who!),
      takerSide: (words.side === 'buys' ? 'buy' : 'sell') as Side,
      priceTicks: ticksOf(market, words.price!),
      sizeLots: lotsOf(market, words.size!),
      makerFeePpm: ppmOf(words.makerFee ?? '0%') as Ppm,
      takerFeePpm: ppmOf(words.fee ?? '0%') as Ppm,
    },
  };
}

function settingSwitch(stage: Stage, { who, timeout, key }: Words) {
  return {
    command: {
      ...nextId(stage),
      kind: 'SetDeadManSwitch' as const,
      user: actorOf(stage, who!),
      key: Number(key ?? 0) as KeyId,
      timeoutMs: durationMsOf(timeout!),
    },
  };
}
