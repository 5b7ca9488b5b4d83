// Converts a client's order into a command: decimals become ticks and lots, exactly or not at all.
// Checks only what whole numbers cannot express; the engine checks the rest.

import { parseOrderId } from '../../../core/messages/index.ts';
import {
  type DecimalProblem,
  type DecimalResult,
  decimalFromLots,
  decimalFromTicks,
  type Lots,
  lotsFromDecimal,
  type OrderNumber,
  type Ticks,
  type TimeMs,
  ticksFromDecimal,
} from '../../../core/money/index.ts';
import type { CommandToSend } from '../../../platform/http/index.ts';
import type { ErrorKey, OrderIn } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { Caller } from '../../auth/index.ts';
import type { MarketEntry } from '../../listings/index.ts';

export type NewPlaceOrder = CommandToSend<'PlaceOrder'>;

/** The part of a market that converts decimals to lots and ticks. */
export type OrderMarket = Pick<MarketEntry, 'market' | 'symbol' | 'lot' | 'tick'>;

type DecimalInput = number | string;

const NO_PRICE = 0 as Ticks;

export function placeOrderOf(
  body: OrderIn,
  market: OrderMarket,
  { key, user }: Pick<Caller, 'user' | 'key'>,
): NewPlaceOrder | Refused<ErrorKey> {
  const { client_order_id: clientOrderId = '', meta = {}, side, type } = body;
  const { note = '', post_only: postOnly = false } = meta;
  if (!isStorable(note)) return new Refused('note_invalid');
  // Clients send any price with a market order, mostly 0; it is ignored.
  const priceTicks = type === 'market' ? NO_PRICE : limitPrice(market, body.price);
  if (priceTicks instanceof Refused) return priceTicks;
  const sizeLots = sizeOf(market, body.size);
  if (sizeLots instanceof Refused) return sizeLots;
  const stopTicks = stopOf(market, body.stop);
  if (stopTicks instanceof Refused) return stopTicks;
  const linkedOrder = linkedOrderOf(body.linked_order_id);
  if (linkedOrder instanceof Refused) return linkedOrder;
  const expiresMs = expiryOf(body.expires_at);
  if (expiresMs instanceof Refused) return expiresMs;
  return {
    kind: 'PlaceOrder',
    user,
    key,
    market: market.market,
    side,
    type,
    postOnly,
    timeInForce: body.time_in_force ?? (type === 'market' ? 'IOC' : 'GTC'),
    selfTrade: body.self_trade_prevention ?? 'cancel_newest',
    priceTicks,
    sizeLots,
    stopTicks,
    clientOrderId,
    note,
    trigger: body.trigger ?? 'stop',
    linkedOrder,
    expiresMs,
  };
}

export function sizeOf(market: OrderMarket, size: DecimalInput): Lots | Refused<ErrorKey> {
  const step = () => decimalFromLots(1 as Lots, market.lot);
  return wholeOf(lotsFromDecimal(`${size}`, market.lot), {
    name: 'size',
    invalid: 'size_invalid',
    tooLarge: 'size_above_maximum',
    step,
  });
}

export function priceOf(market: OrderMarket, price: DecimalInput): Ticks | Refused<ErrorKey> {
  return ticksOf(market, price, {
    name: 'price',
    invalid: 'price_invalid',
    tooLarge: 'price_above_maximum',
  });
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A UUID that is not one of our order IDs counts as a missing order. */
export function orderNumberOf(
  orderId: string,
): OrderNumber | Refused<'order_id_invalid' | 'order_must_exist'> {
  const text = orderId.toLowerCase();
  if (!UUID.test(text)) return new Refused('order_id_invalid');
  return parseOrderId(text) ?? new Refused('order_must_exist');
}

/** The engine rejects a time that is past or too far ahead. */
function expiryOf(time: string | undefined): TimeMs | Refused<ErrorKey> {
  if (time === undefined) return 0 as TimeMs;
  const ms = Date.parse(time);
  return ms > 0 ? (ms as TimeMs) : new Refused('expiry_out_of_range');
}

function linkedOrderOf(id: string | undefined): OrderNumber | Refused<ErrorKey> {
  if (id === undefined) return 0 as OrderNumber;
  const order = orderNumberOf(id);
  return order instanceof Refused && order.key === 'order_must_exist'
    ? new Refused('linked_order_must_be_open')
    : order;
}

function limitPrice(
  market: OrderMarket,
  price: DecimalInput | null | undefined,
): Ticks | Refused<ErrorKey> {
  if (price === undefined || price === null) return new Refused('price_missing');
  return priceOf(market, price);
}

/** Rejects a stop of 0: read as no stop, the order would trade immediately. */
export function stopOf(
  market: OrderMarket,
  stop: DecimalInput | null | undefined,
): Ticks | Refused<ErrorKey> {
  if (stop === undefined || stop === null) return NO_PRICE;
  const ticks = ticksOf(market, stop, {
    name: 'stop',
    invalid: 'stop_invalid',
    tooLarge: 'stop_price_above_maximum',
  });
  if (ticks === 0) return new Refused('stop_invalid', { problem: 'must be greater than zero' });
  return ticks;
}

/** Errors for one parameter. */
interface Parameter {
  readonly name: string;
  readonly invalid: ErrorKey;
  readonly tooLarge: ErrorKey;
  /** Increment of which the value must be a multiple. */
  readonly step: () => string;
}

function ticksOf(
  { tick }: OrderMarket,
  text: DecimalInput,
  parameter: Omit<Parameter, 'step'>,
): Ticks | Refused<ErrorKey> {
  const step = () => decimalFromTicks(1 as Ticks, tick);
  return wholeOf(ticksFromDecimal(`${text}`, tick), { ...parameter, step });
}

function wholeOf<Value>(
  result: DecimalResult<Value>,
  parameter: Parameter,
): Value | Refused<ErrorKey> {
  return result.ok ? result.value : refusalFor(result.problem, parameter);
}

function refusalFor(problem: DecimalProblem, parameter: Parameter): Refused<ErrorKey> {
  const { invalid, name, step, tooLarge } = parameter;
  switch (problem) {
    case 'not_a_number':
      return new Refused('value_not_a_number', { name });
    case 'too_large':
      return new Refused(tooLarge);
    case 'negative':
      return new Refused(invalid, { problem: 'must not be negative' });
    case 'not_a_multiple':
    case 'too_many_digits':
      return new Refused(invalid, { problem: `must be a multiple of ${step()}` });
  }
}

/** PostgreSQL cannot store U+0000, and UTF-8 cannot encode a lone surrogate. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
