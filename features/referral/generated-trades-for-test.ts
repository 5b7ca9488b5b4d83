// Generates trades of a thousand users, in columns, and copies them into the projected tables. Only
// tests import it.

import { type Connection, CopyRows } from '../../infra/postgres/index.ts';
import type { Random } from '../../testing/flows/random.ts';
import { ASSETS, START_MS, TRADE_COLUMNS } from './referral-for-test.ts';

/** Trades by index: numbers increase, frames and times never decrease. */
export interface GeneratedTrades {
  readonly count: number;
  readonly frame: Float64Array;
  readonly timeMs: Float64Array;
  readonly maker: Float64Array;
  readonly taker: Float64Array;
  readonly isTakerBuying: Uint8Array;
  readonly base: Uint8Array;
  readonly quote: Uint8Array;
  readonly makerFee: Float64Array;
  readonly takerFee: Float64Array;
}

const MARKETS = [
  ['btc', 'usdt'],
  ['eth', 'usdt'],
  ['eth', 'btc'],
  ['gold', 'usdt'],
].map((symbols) => symbols.map((symbol) => ASSETS.find((one) => one.symbol === symbol)!.id));

/** Maximum fee atoms: fractions of an atom must matter, and large ones must fit. */
const FEES_MAX = [50, 1_000_000, 9_000_000_000];
const ROWS_PER_COPY = 100_000;

export function generateTrades(
  random: Random,
  { count, spanMs, users }: { count: number; spanMs: number; users: readonly number[] },
): GeneratedTrades {
  const numbers = () => new Float64Array(count);
  const small = () => new Uint8Array(count);
  const [frame, timeMs, maker, taker] = [numbers(), numbers(), numbers(), numbers()];
  const [makerFee, takerFee] = [numbers(), numbers()];
  const [isTakerBuying, base, quote] = [small(), small(), small()];
  let [currentFrame, currentMs] = [1, START_MS + 1];
  for (let at = 0; at < count; at += 1) {
    // Several trades share a frame, several frames share a millisecond.
    if (at > 0 && random.chance(70)) {
      currentFrame += random.between(1, 2);
      if (random.chance(80)) currentMs = START_MS + 1 + Math.floor((at / count) * spanMs);
    }
    frame[at] = currentFrame;
    timeMs[at] = currentMs;
    maker[at] = random.pick(users);
    taker[at] = random.pick(users);
    [base[at], quote[at]] = random.pick(MARKETS);
    isTakerBuying[at] = random.below(2);
    makerFee[at] = random.chance(10) ? 0 : Math.floor((random.word() / 2 ** 32) * pickMax());
    takerFee[at] = random.chance(10) ? 0 : Math.floor((random.word() / 2 ** 32) * pickMax());
  }
  return {
    count,
    frame,
    timeMs,
    maker,
    taker,
    isTakerBuying,
    base,
    quote,
    makerFee,
    takerFee,
  };

  function pickMax(): number {
    return random.pick(FEES_MAX);
  }
}

export async function copyTrades(connection: Connection, trades: GeneratedTrades): Promise<void> {
  for (let from = 0; from < trades.count; from += ROWS_PER_COPY) {
    const rows = new CopyRows('trades', TRADE_COLUMNS);
    const to = Math.min(from + ROWS_PER_COPY, trades.count);
    for (let at = from; at < to; at += 1) {
      rows
        .row()
        .integer(at + 1)
        .integer(1)
        .integer(trades.base[at])
        .integer(trades.quote[at]);
      rows
        .text(trades.isTakerBuying[at] === 1 ? 'buy' : 'sell')
        .integer(1)
        .integer(1);
      rows.integer(1).integer(2).integer(trades.maker[at]).integer(trades.taker[at]);
      rows.integer(1).integer(1).integer(trades.makerFee[at]).integer(trades.takerFee[at]);
      rows
        .boolean(false)
        .boolean(false)
        .integer(at + 1)
        .integer(trades.frame[at]);
      rows.time(trades.timeMs[at]);
    }
    await rows.copy(connection);
  }
}
