// Measures the time to encode and decode a record, and its size in bytes.

import type { CommandNumber, TimeMs } from '../money/index.ts';
import type { Command } from './commands.ts';
import type { Event } from './events.ts';
import {
  decodeCommandFrame,
  decodeEventFrame,
  encodeCommandFrame,
  encodeEventFrame,
} from './frame-codec.ts';
import { FrameWriter } from './frame-writer.ts';

const RECORDS = 4_096;
const ROUNDS = 100;

const who = (index: number) => ({ source: 2 ** 43 + index, number: 100_000 + index, user: 9_000 });
const order = { key: 4_000, market: 7, side: 'sell', type: 'limit', timeInForce: 'GTC' };
const terms = { selfTrade: 'cancel_newest', postOnly: false, priceTicks: 6_123_456, sizeLots: 5 };

const samples: Record<string, (index: number) => object> = {
  PlaceOrder: (index) => ({
    kind: 'PlaceOrder',
    ...who(index),
    ...order,
    ...terms,
    stopTicks: 0,
    clientOrderId: `client-order-${100_000_000 + index}`,
    note: '',
    trigger: 'stop',
    linkedOrder: 0,
    expiresMs: 0,
  }),
  CancelOrder: (index) => ({
    kind: 'CancelOrder',
    ...who(index),
    order: 500_000_000 + index,
    byOperator: false,
  }),
};

const eventSamples: Record<string, (index: number) => object> = {
  TradeExecuted: (index) => ({
    kind: 'TradeExecuted',
    command: 500_000_000 + index,
    trade: 90_000_000 + index,
    market: 7,
    base: 3,
    quote: 2,
    takerSide: 'buy',
    priceTicks: 6_123_456,
    sizeLots: 5,
    makerOrder: 499_000_000 + index,
    takerOrder: 500_000_000 + index,
    maker: 9_000,
    taker: 8_000,
    makerRemainingLots: 17,
    takerRemainingLots: 0,
    baseAtoms: 5_000_000n,
    quoteAtoms: 306_172_800_000n,
    makerFeeAtoms: 306_172_800n,
    takerFeeAtoms: 10_000n,
    releasedAtoms: 0n,
    house: false,
    quick: false,
  }),
  OrderClosed: (index) => ({
    kind: 'OrderClosed',
    command: 500_000_000 + index,
    order: 499_000_000 + index,
    user: 9_000,
    market: 7,
    reason: 'canceled_by_user',
    remainingLots: 5,
    heldAsset: 3,
    releasedAtoms: 5_000_000n,
  }),
};

/** Nanoseconds per record, the median over all rounds. */
export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const rounds = quick ? ROUNDS / 5 : ROUNDS;
  const writer = new FrameWriter();
  const header = { sequence: 1, epoch: 1, timeMs: 0 as TimeMs, previousHash: new Uint8Array(32) };
  const results: Record<string, unknown> = {};
  for (const [kind, make] of Object.entries(samples)) {
    const made = Array.from({ length: RECORDS }, (_, index) => make(index) as Command);
    // Flat strings, as decoded from the wire.
    const { commands } = decodeCommandFrame(
      encodeCommandFrame(writer, { ...header, commands: made }),
    );
    const encode = () => encodeCommandFrame(writer, { ...header, commands });
    results[kind] = measure(rounds, encode, decodeCommandFrame);
  }
  for (const [kind, make] of Object.entries(eventSamples)) {
    const events = Array.from({ length: RECORDS }, (_, index) => make(index) as Event);
    const frame = { sequence: 1, timeMs: 0 as TimeMs, firstCommand: 1 as CommandNumber, events };
    const encode = () => encodeEventFrame(writer, frame);
    results[kind] = measure(rounds, encode, decodeEventFrame);
  }
  return results;
}

function measure(
  rounds: number,
  encode: () => Uint8Array,
  decode: (bytes: Uint8Array) => unknown,
): Record<string, number> {
  const encodeNs: number[] = [];
  const decodeNs: number[] = [];
  let bytes = encode();
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    bytes = encode();
    const middle = performance.now();
    decode(bytes);
    encodeNs.push(((middle - start) * 1e6) / RECORDS);
    decodeNs.push(((performance.now() - middle) * 1e6) / RECORDS);
  }
  const bytesPerRecord = Math.round((bytes.length / RECORDS) * 10) / 10;
  return { bytesPerRecord, encodeNs: median(encodeNs), decodeNs: median(decodeNs) };
}

function median(values: number[]): number {
  values.sort((a, b) => a - b);
  return Math.round(values[values.length >> 1]);
}
